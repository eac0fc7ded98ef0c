import { texts } from '../../texts';
import { CheckField, TextField } from '../fields';

interface Props {
  name: string;
  label: string;
  help?: string;
  problem?: string;
  /** The unit of the number. */
  unit?: string;
  disabled: boolean;
  /** The value as JSON: the switch and the number. */
  text: string;
  onChange: (text: string) => void;
}

/** A field of a switch, and of the number that applies while it is on. */
export function PairField({ text, onChange, problem, unit, ...common }: Props) {
  const [isOn, amount] = JSON.parse(text) as [boolean, number | null];
  return (
    <>
      <CheckField
        {...common}
        checked={isOn}
        onChange={({ target }) => onChange(JSON.stringify([target.checked, amount]))}
      />
      <TextField
        type="number"
        step="any"
        unit={unit}
        name={`${common.name}.1`}
        label={texts.schemaForm.amountLabel(common.label)}
        disabled={common.disabled}
        problem={problem}
        value={amount ?? ''}
        onChange={({ target }) =>
          onChange(JSON.stringify([isOn, target.value === '' ? null : Number(target.value)]))
        }
      />
    </>
  );
}
