import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { texts } from '../../texts';
import { Button } from '../button';
import { TextField } from '../fields';
import { Section } from '../page';
import { type FieldsProps, SchemaFields } from './schema-fields';
import { flat } from './list-fields';
import { findFields } from './find-fields';
import type { FormSection } from './sections';
import styles from './sections.module.css';

export interface FormHandle {
  focus: () => void;
  /** Focuses a field, and opens its section. */
  goTo: (path: string) => void;
}

interface Props extends Omit<FieldsProps, 'entries' | 'found'> {
  ref: Ref<FormHandle>;
  /** The name of the edited object, for screen readers. */
  name: string;
  sections: FormSection[];
  /** The paths of the fields whose values cannot be saved. */
  wrong: string[];
  /** The content below all sections, which is always visible. */
  bar: ReactNode;
  onSubmit: () => void;
}

const CONTROL = ':is(input, select, textarea, [data-editor]):not(:disabled)';

/** A form for a class of the API document, with a search and links to its sections. */
export function SchemaForm({ ref, name, sections, wrong, bar, onSubmit, ...fields }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState(() => new Set<string>());
  const [isMenuOpen, setMenuOpen] = useState(false);
  const found = search.trim() === '' ? undefined : findFields(sections, fields.words, search);
  const toggle = (id: string, isOpen: boolean) =>
    setOpen((before) => new Set(isOpen ? [...before, id] : [...before].filter((other) => other !== id)));

  useImperativeHandle(ref, () => ({
    focus: () => form.current?.focus({ preventScroll: true }),
    goTo: (path) => {
      const section = sections.find(({ entries }) => flat(entries).some((field) => field.path === path));
      flushSync(() => {
        setSearch('');
        if (section) toggle(section.id, true);
      });
      // The focus waits for the error messages, which move the fields.
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"] ${CONTROL}`)?.focus(),
      );
    },
  }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const stay = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
  };
  const isHidden = ({ entries }: FormSection) =>
    found !== undefined && !flat(entries).some(({ path }) => found.has(path));
  const countIn = ({ entries }: FormSection, paths: (path: string) => boolean) =>
    flat(entries).filter(({ path }) => paths(path)).length;
  const getCounts = (section: FormSection) => {
    const changed = countIn(section, (path) => path in fields.draft);
    const invalid = countIn(section, (path) => wrong.includes(path));
    return (
      <>
        {changed > 0 && <span className={styles.count}>{texts.schemaForm.changes(changed)}</span>}
        {invalid > 0 && <span className={styles.wrong}>{texts.schemaForm.invalid(invalid)}</span>}
      </>
    );
  };
  const basic = sections.filter(({ isAdvanced }) => !isAdvanced);
  const advanced = sections.filter(({ isAdvanced }) => isAdvanced);
  const follow = ({ id, isAdvanced = false }: FormSection) => {
    setMenuOpen(false);
    if (isAdvanced) toggle(id, true);
  };
  const linksTo = (some: FormSection[]) => (
    <ul>
      {some.map((section) => (
        <li key={section.id} hidden={isHidden(section)}>
          <a href={`#${section.id}`} onClick={() => follow(section)}>
            {section.title}
            {getCounts(section)}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <form ref={form} tabIndex={-1} noValidate aria-label={name} onSubmit={submit} className={styles.form}>
      <div className={styles.side}>
        <TextField
          label={texts.schemaForm.find}
          type="search"
          autoComplete="off"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={stay}
        />
        <p role="status" className={styles.found}>
          {found && texts.schemaForm.found(found.size)}
        </p>
        <button
          type="button"
          className={styles.menu}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {texts.schemaForm.sections}
        </button>
        <nav
          aria-label={texts.schemaForm.sections}
          className={styles.nav}
          data-open={isMenuOpen || undefined}
        >
          {linksTo(basic)}
          {advanced.length > 0 && (
            <p className={styles.navTitle} hidden={advanced.every(isHidden)}>
              {texts.schemaForm.advanced}
            </p>
          )}
          {linksTo(advanced)}
        </nav>
      </div>
      <div className={styles.sections}>
        {found?.size === 0 && (
          <div className={styles.empty}>
            <p>{texts.schemaForm.notFound(search.trim())}</p>
            <Button onClick={() => setSearch('')}>{texts.schemaForm.clearSearch}</Button>
          </div>
        )}
        {basic.map((section) => (
          <div key={section.id} id={section.id} hidden={isHidden(section)}>
            <Section title={section.title}>
              <SchemaFields {...fields} found={found} entries={section.entries} />
            </Section>
          </div>
        ))}
        {advanced.length > 0 && (
          <header className={styles.advanced} hidden={advanced.every(isHidden)}>
            <h2>{texts.schemaForm.advanced}</h2>
            <p>{texts.schemaForm.advancedText}</p>
          </header>
        )}
        {advanced.map((section) => (
          <details
            key={section.id}
            id={section.id}
            className={styles.topic}
            hidden={isHidden(section)}
            open={found !== undefined || open.has(section.id)}
            // While the search opens the sections, what was open before stays known.
            onToggle={({ currentTarget }) => found === undefined && toggle(section.id, currentTarget.open)}
          >
            <summary>
              <h3>{section.title}</h3>
              {section.summary && <span className={styles.summary}>{section.summary}</span>}
              {getCounts(section)}
            </summary>
            <div className={styles.content}>
              <SchemaFields {...fields} found={found} entries={section.entries} />
            </div>
          </details>
        ))}
        {bar && <div className={styles.bar}>{bar}</div>}
      </div>
    </form>
  );
}
