import type { Field, Group } from './list-fields';
import { isGroup } from './list-fields';

export interface SectionDefinition {
  id: string;
  title: string;
  /** The names of fields and objects. With `.*` after it, the values of an object have no frame of their own. */
  fields: string[];
}

export interface FormSection {
  id: string;
  title: string;
  entries: (Field | Group)[];
}

/** Sorts fields into sections. Fields without a section come last, unless they are left out. */
export function toSections(
  entries: (Field | Group)[],
  definitions: SectionDefinition[],
  rest: { title: string; except: string[] },
): FormSection[] {
  const named = new Set(definitions.flatMap(({ fields }) => fields.map((name) => name.replace('.*', ''))));
  const pick = (name: string) => {
    const entry = entries.find(({ path }) => path === name.replace('.*', ''));
    if (!entry) return [];
    return name.endsWith('.*') && isGroup(entry) ? entry.fields : [entry];
  };
  const others = entries.filter(({ path }) => !named.has(path) && !rest.except.includes(path));
  return [
    ...definitions.map(({ id, title, fields }) => ({ id, title, entries: fields.flatMap(pick) })),
    { id: 'more', title: rest.title, entries: others },
  ].filter((section) => section.entries.length > 0);
}
