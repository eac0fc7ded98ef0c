import { texts } from '../texts';
import { SelectField } from '../ui/fields';
import { type Counted, COUNTED_CHOICES, COUNTED_PARAMETER, toParameter } from './counted-calls';

const labels = texts.counted;

interface Props {
  counted: Counted;
  /** Receives the change of the parameters of the address. */
  onChange: (changes: Record<string, string | undefined>) => void;
}

/** Chooses the calls that figures count. */
export const CountedField = ({ counted, onChange }: Props) => (
  <SelectField
    label={labels.label}
    choices={COUNTED_CHOICES}
    value={counted}
    onChange={({ target }) => onChange({ [COUNTED_PARAMETER]: toParameter(target.value) })}
  />
);
