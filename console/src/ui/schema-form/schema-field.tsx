import { memo } from 'react';
import { texts } from '../../texts';
import { CheckField, type Choice, SelectField, TextArea, TextField } from '../fields';
import { TimeText } from '../time-text';
import { isNear, parse } from './field-values';
import type { Field } from './list-fields';
import { PairField } from './pair-field';
import styles from './schema-form.module.css';

interface Props {
  field: Field;
  label: string;
  /** The help text, if it differs from the description in the API document. */
  help?: string;
  /** The unit of a number. */
  unit?: string;
  /** The names of values that can be chosen. */
  choices?: Record<string, string>;
  /** Values that are offered for a text. */
  suggestions?: Choice[];
  text: string;
  isChanged: boolean;
  isReadOnly: boolean;
  isHidden: boolean;
  /** The error message of the server. */
  refusal?: string;
  onChange: (path: string, text: string) => void;
}

/** The length from which a text has a large field. */
const LARGE = 100_000;

function describeBounds({ kind, schema, isNullable }: Field): string | undefined {
  const { minimum, maximum, maxLength } = schema;
  if (kind === 'number') {
    if (isNear(minimum) && isNear(maximum)) return texts.schemaForm.between(minimum, maximum);
    if (isNear(minimum)) return texts.schemaForm.atLeast(minimum);
    return isNear(maximum) ? texts.schemaForm.atMost(maximum) : undefined;
  }
  if (kind === 'list') return texts.schemaForm.oneALine;
  if (kind === 'json') return texts.schemaForm.json;
  if (kind === 'long') return maxLength === undefined ? undefined : texts.schemaForm.characters(maxLength);
  return isNullable && kind === 'text' ? texts.schemaForm.mayBeEmpty : undefined;
}

const sentences = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ') || undefined;

interface ShownProps {
  label: string;
  help?: string;
  field: Field;
  text: string;
}

/** A read-only value. */
const ShownValue = ({ label, help, field: { schema }, text }: ShownProps) => (
  <dl className={styles.shown}>
    <dt>{label}</dt>
    <dd>
      {schema.format === 'date-time' ? <TimeText at={text} /> : <bdi>{text || texts.common.none}</bdi>}
      {help && <p className={styles.note}>{help}</p>}
    </dd>
  </dl>
);

/** The control of one value, with its bounds and its error. */
export const SchemaField = memo(function SchemaField(props: Props) {
  const { field, unit, choices = {}, suggestions, text, isChanged, isReadOnly, isHidden } = props;
  const { refusal, onChange } = props;
  const { kind, schema, path, name } = field;
  const parsed = isChanged ? parse(field, text) : undefined;
  const label = isChanged ? texts.schemaForm.changed(props.label) : props.label;
  const problem = parsed && 'problem' in parsed ? parsed.problem : refusal;
  const common = {
    label,
    problem,
    name: path,
    help: sentences(props.help ?? schema.description, describeBounds(field)),
    disabled: isReadOnly,
  };
  const change = ({ target }: { target: { value: string } }) => onChange(path, target.value);
  const className = styles[kind === 'json' || kind === 'list' ? 'lines' : kind];
  return (
    <div className={className} data-changed={isChanged || undefined} data-path={path} hidden={isHidden}>
      {kind === 'check' ? (
        <CheckField
          {...common}
          checked={text === 'true'}
          onChange={({ target }) => onChange(path, String(target.checked))}
        />
      ) : kind === 'pair' ? (
        <PairField {...common} unit={unit} text={text} onChange={(changed) => onChange(path, changed)} />
      ) : kind === 'choice' ? (
        <SelectField
          {...common}
          value={text}
          onChange={change}
          choices={(schema.enum ?? []).map((value) => ({ value, label: choices[value] ?? value }))}
          any={field.isNullable ? texts.common.none : undefined}
        />
      ) : kind === 'number' ? (
        <TextField
          {...common}
          type="number"
          unit={unit}
          value={text}
          min={isNear(schema.minimum) ? schema.minimum : undefined}
          max={isNear(schema.maximum) ? schema.maximum : undefined}
          step={[schema.type].flat().includes('integer') ? 1 : 'any'}
          onChange={change}
        />
      ) : kind === 'text' ? (
        <TextField
          {...common}
          value={text}
          suggestions={suggestions}
          spellCheck={name === 'name'}
          onChange={change}
        />
      ) : kind === 'shown' ? (
        <ShownValue label={label} help={common.help} field={field} text={choices[text] ?? text} />
      ) : (
        <TextArea
          {...common}
          value={text}
          rows={kind === 'json' ? 1 : 2}
          data-large={(schema.maxLength ?? 0) >= LARGE || undefined}
          spellCheck={kind === 'long'}
          onChange={change}
        />
      )}
    </div>
  );
});
