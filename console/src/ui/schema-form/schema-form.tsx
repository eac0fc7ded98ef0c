import { type FormEvent, type ReactNode, type Ref } from 'react';
import { texts } from '../../texts';
import { Section } from '../page';
import { type FieldsProps, SchemaFields } from './schema-fields';
import { flat } from './list-fields';
import type { FormSection } from './sections';
import styles from './sections.module.css';

interface Props extends Omit<FieldsProps, 'entries'> {
  ref: Ref<HTMLFormElement>;
  /** The name of the edited object, for screen readers. */
  name: string;
  sections: FormSection[];
  /** The sections without fields of the schema, by their position. */
  children?: ReactNode;
  /** The content below all sections, which is always visible. */
  bar: ReactNode;
  onSubmit: () => void;
}

/** A form for a class of the API document, with links to its sections. */
export function SchemaForm({ ref, name, sections, children, bar, onSubmit, ...fields }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const changes = (section: FormSection) =>
    flat(section.entries).filter(({ path }) => path in fields.draft).length;
  return (
    <form ref={ref} tabIndex={-1} noValidate aria-label={name} onSubmit={submit} className={styles.form}>
      <nav aria-label={texts.schemaForm.sections} className={styles.nav}>
        <ul>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>
                {section.title}
                {changes(section) > 0 && (
                  <span className={styles.count}>{texts.schemaForm.changes(changes(section))}</span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.sections}>
        {sections.map(({ id, title, entries }) => (
          <div key={id} id={id}>
            <Section title={title}>
              <SchemaFields {...fields} entries={entries} />
            </Section>
          </div>
        ))}
        {children}
        {bar && <div className={styles.bar}>{bar}</div>}
      </div>
    </form>
  );
}
