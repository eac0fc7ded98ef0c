import type { ReactNode } from 'react';
import { fieldError } from '../../api/failure';
import type { Choice } from '../fields';
import { type Draft, toText } from './field-values';
import { type Field, flat, type Group, isGroup, valueAt } from './list-fields';
import { toLabel } from './labels';
import { SchemaField } from './schema-field';
import styles from './schema-form.module.css';

/** The words of a form, by the paths of its fields. */
export interface FormWords {
  /** Left out: the API's name. */
  labels: Record<string, string>;
  /** Left out: the description in the API document. */
  help: Record<string, string>;
  units: Record<string, string>;
  /** The names of values that can be chosen. */
  choices: Record<string, Record<string, string>>;
}

export interface FieldsProps {
  entries: (Field | Group)[];
  /** The stored values. */
  values: unknown;
  draft: Draft;
  words: FormWords;
  /** The failure of the last attempt to save. */
  failure: unknown;
  isReadOnly?: boolean;
  /** The values that are offered for the text at a path. */
  suggest?: (path: string) => Choice[] | undefined;
  /** The custom controls, by path. */
  own?: Record<string, ReactNode>;
  /** The paths of the only fields that are visible; left out: all are. */
  found?: Set<string>;
  onChange: (path: string, text: string) => void;
}

export const getName = ({ path, name }: Pick<Field, 'path' | 'name'>, { labels }: FormWords) =>
  labels[path] ?? toLabel(name);

/** The controls of some fields. The fields of an object have a frame of their own. */
export function SchemaFields(props: FieldsProps) {
  const { entries, values, draft, words, failure, isReadOnly = false, suggest, own, found, onChange } = props;
  const single = entries.filter((entry): entry is Field => !isGroup(entry));
  const groups = entries.filter(isGroup);
  const isHidden = (fields: Field[]) => found !== undefined && !fields.some(({ path }) => found.has(path));
  return (
    <>
      {single.length > 0 && (
        <div className={styles.fields} hidden={isHidden(single)}>
          {single.map((field) =>
            own?.[field.path] !== undefined ? (
              <div
                key={field.path}
                className={styles.long}
                hidden={isHidden([field])}
                data-path={field.path}
                data-changed={field.path in draft || undefined}
              >
                {own[field.path]}
              </div>
            ) : (
              <SchemaField
                key={field.path}
                field={field}
                label={getName(field, words)}
                help={words.help[field.path]}
                unit={words.units[field.path]}
                choices={words.choices[field.path]}
                suggestions={suggest?.(field.path)}
                text={draft[field.path] ?? toText(field, valueAt(values, field.path))}
                isChanged={field.path in draft}
                isReadOnly={isReadOnly}
                isHidden={isHidden([field])}
                refusal={fieldError(failure, field.path)}
                onChange={onChange}
              />
            ),
          )}
        </div>
      )}
      {groups.map((group) => (
        <fieldset key={group.path} className={styles.group} hidden={isHidden(flat(group.fields))}>
          <legend>{getName(group, words)}</legend>
          {words.help[group.path] && <p className={styles.note}>{words.help[group.path]}</p>}
          <SchemaFields {...props} entries={group.fields} />
        </fieldset>
      ))}
    </>
  );
}
