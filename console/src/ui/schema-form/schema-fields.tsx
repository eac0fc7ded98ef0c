import type { ReactNode } from 'react';
import { fieldError } from '../../api/failure';
import { type Draft, toText } from './field-values';
import { type Field, type Group, isGroup, valueAt } from './list-fields';
import { toLabel } from './labels';
import { SchemaField } from './schema-field';
import styles from './schema-form.module.css';

export interface FieldsProps {
  entries: (Field | Group)[];
  /** The stored values. */
  values: unknown;
  draft: Draft;
  /** The labels of fields by path, if the API's name is not clear. */
  labels: Record<string, string>;
  help: Record<string, string>;
  /** The failure of the last attempt to save. */
  failure: unknown;
  isReadOnly?: boolean;
  /** The custom controls, by path. */
  own?: Record<string, ReactNode>;
  onChange: (path: string, text: string) => void;
}

/** The controls of some fields. The fields of an object have a frame of their own. */
export function SchemaFields(props: FieldsProps) {
  const { entries, values, draft, labels, help, failure, isReadOnly = false, own, onChange } = props;
  const single = entries.filter((entry): entry is Field => !isGroup(entry));
  const groups = entries.filter(isGroup);
  return (
    <>
      {single.length > 0 && (
        <div className={styles.fields}>
          {single.map((field) =>
            own?.[field.path] !== undefined ? (
              <div key={field.path} className={styles.long}>
                {own[field.path]}
              </div>
            ) : (
              <SchemaField
                key={field.path}
                field={field}
                label={labels[field.path] ?? toLabel(field.name)}
                help={help[field.path]}
                text={draft[field.path] ?? toText(field, valueAt(values, field.path))}
                isChanged={field.path in draft}
                isReadOnly={isReadOnly}
                refusal={fieldError(failure, field.path)}
                onChange={onChange}
              />
            ),
          )}
        </div>
      )}
      {groups.map((group) => (
        <fieldset key={group.path} className={styles.group}>
          <legend>{labels[group.path] ?? toLabel(group.name)}</legend>
          {help[group.path] && <p className={styles.note}>{help[group.path]}</p>}
          <SchemaFields {...props} entries={group.fields} />
        </fieldset>
      ))}
    </>
  );
}
