import type { ApiDocument, JsonSchema } from '../../api/document';

export type FieldKind = 'check' | 'choice' | 'number' | 'text' | 'long' | 'list' | 'pair' | 'json' | 'shown';

/** A value that has one control. */
export interface Field {
  /** The names from the body to it, with dots between them. */
  path: string;
  name: string;
  kind: FieldKind;
  schema: JsonSchema;
  isNullable: boolean;
}

/** An object whose values have controls. */
export interface Group {
  path: string;
  name: string;
  fields: (Field | Group)[];
}

export const isGroup = (entry: Field | Group): entry is Group => 'fields' in entry;

/** The length from which a text has a field of several lines. */
const LONG = 2_000;

/** Follows references. A description beside a reference counts. */
export function resolve(schema: JsonSchema, document: ApiDocument): JsonSchema {
  const [only] = schema.allOf ?? [];
  const reference = schema.$ref ?? only?.$ref;
  if (reference === undefined) return schema;
  const target = document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
  return { ...resolve(target, document), ...schema, $ref: undefined, allOf: undefined };
}

const listTypes = ({ type = [] }: JsonSchema) => [type].flat();

const isTexts = (schema: JsonSchema) => schema.type === 'array' && schema.items?.type === 'string';

/** A list of texts, which may also be given as one text. */
const listIn = (schema: JsonSchema) => [schema, ...(schema.oneOf ?? [])].find(isTexts);

/** Whether a list can be edited as one item per line: no item has several lines. */
const fitsLines = (value: unknown) =>
  !Array.isArray(value) || value.every((item) => typeof item === 'string' && !item.includes('\n'));

/** A pair of a switch and a number, such as a limit in seconds. */
const isPair = ({ type, items, minItems, maxItems }: JsonSchema, value: unknown) =>
  type === 'array' &&
  minItems === 2 &&
  maxItems === 2 &&
  [items?.type].flat().includes('boolean') &&
  Array.isArray(value) &&
  typeof value[0] === 'boolean' &&
  typeof value[1] === 'number';

function getKind(schema: JsonSchema, value: unknown): FieldKind {
  if (schema.readOnly) return 'shown';
  if (schema.enum) return 'choice';
  if (listIn(schema) && fitsLines(value)) return 'list';
  if (isPair(schema, value)) return 'pair';
  const types = listTypes(schema).filter((type) => type !== 'null');
  const isLong = (schema.maxLength ?? 0) >= LONG;
  const kinds: Record<string, FieldKind> = {
    boolean: 'check',
    integer: 'number',
    number: 'number',
    string: isLong ? 'long' : 'text',
  };
  return (types.length === 1 && kinds[types[0] ?? '']) || 'json';
}

/** The value at a path, if there is one. */
export const valueAt = (values: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values);

/**
 * The fields and groups of a class of the API document.
 * @param values the edited values, on which the control of some lists depends
 * @param shown the names of the objects whose values are shown and not edited
 */
export function listFields(
  schema: JsonSchema,
  document: ApiDocument,
  values: unknown,
  shown: string[] = [],
  parent = '',
): (Field | Group)[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    const resolved = resolve(property, document);
    if (resolved.properties)
      return { path, name, fields: listFields(resolved, document, values, shown, path) };
    return {
      path,
      name,
      kind: shown.includes(parent) ? 'shown' : getKind(resolved, valueAt(values, path)),
      schema: listIn(resolved) ? { ...listIn(resolved), description: resolved.description } : resolved,
      isNullable: listTypes(resolved).includes('null'),
    };
  });
}

/** The fields of groups, and of the groups in them. */
export const flat = (entries: (Field | Group)[]): Field[] =>
  entries.flatMap((entry) => (isGroup(entry) ? flat(entry.fields) : [entry]));
