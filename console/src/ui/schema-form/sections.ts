import type { Field, Group } from './list-fields';
import { isGroup } from './list-fields';

export interface SectionDefinition {
  id: string;
  title: string;
  /** One line below the title of an advanced section, which says what is in it. */
  summary?: string;
  /** Whether the section is closed until somebody opens it. */
  isAdvanced?: boolean;
  /** The paths of fields and objects. With `.*` after it, the values of an object have no frame of their own. */
  fields: string[];
}

export interface FormSection extends Omit<SectionDefinition, 'fields'> {
  entries: (Field | Group)[];
}

/** The entries without some fields, and without objects of which nothing is left. */
export const keepFields = (
  entries: (Field | Group)[],
  isKept: (field: Field) => boolean,
): (Field | Group)[] =>
  entries.flatMap<Field | Group>((entry) => {
    if (!isGroup(entry)) return isKept(entry) ? [entry] : [];
    const fields = keepFields(entry.fields, isKept);
    return fields.length > 0 ? [{ ...entry, fields }] : [];
  });

const findEntry = (entries: (Field | Group)[], path: string): Field | Group | undefined => {
  for (const entry of entries) {
    if (entry.path === path) return entry;
    const inner = isGroup(entry) && path.startsWith(`${entry.path}.`) && findEntry(entry.fields, path);
    if (inner) return inner;
  }
  return undefined;
};

/**
 * Sorts fields into sections. A field belongs to the section with its own path, otherwise to the one with its object.
 * Fields without a section come last, unless they are left out.
 */
export function toSections(
  entries: (Field | Group)[],
  definitions: SectionDefinition[],
  rest: Omit<SectionDefinition, 'fields'> & { except: string[] },
): FormSection[] {
  const { except, ...more } = rest;
  const paths = definitions.flatMap(({ fields }) => fields.map((path) => path.replace('.*', '')));
  const named = new Set([...paths, ...except]);
  const isNamed = (path: string) => {
    const names = path.split('.');
    return names.some((_, index) => named.has(names.slice(0, index + 1).join('.')));
  };
  const pick = (name: string) => {
    const path = name.replace('.*', '');
    const entry = findEntry(entries, path);
    if (!entry || !isGroup(entry)) return entry ? [entry] : [];
    // A field below another path that is named belongs to that path's section.
    const own = keepFields([entry], (field) =>
      paths.every((other) => other === path || !other.startsWith(`${path}.`) || !isWithin(field.path, other)),
    );
    return name.endsWith('.*') ? own.flatMap((group) => (isGroup(group) ? group.fields : [])) : own;
  };
  return [
    ...definitions.map(({ fields, ...section }) => ({ ...section, entries: fields.flatMap(pick) })),
    { ...more, entries: keepFields(entries, ({ path }) => !isNamed(path)) },
  ].filter((section) => section.entries.length > 0);
}

const isWithin = (path: string, parent: string) => path === parent || path.startsWith(`${parent}.`);
