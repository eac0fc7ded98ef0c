import type { FieldSchema } from '../../generated/definitions';

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

const inEnglish = (count: number) => count.toLocaleString('en');

/** Names that each object has already. The server drops or refuses them. */
export const isInheritedName = (name: string): boolean => name === 'prototype' || name in Object.prototype;

/** @returns why a text must be in no file */
export function findTextProblem(text: string): string | undefined {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) return 'it has a character that cannot be stored';
  // Applying the file would fill in a value of the environment, which its author may not have.
  return text.includes('${env:') ? 'it has ${env:…}, which applying the file would fill in' : undefined;
}

/** @returns why the server would not accept a value, or why it must be in no file */
export function findProblem(schema: FieldSchema, value: unknown): string | undefined {
  const { type, enum: choices, minimum = -Infinity, maximum = Infinity, oneOf } = schema;
  if (oneOf) {
    const problems = oneOf.map((each) => findProblem(each, value));
    return problems.includes(undefined) ? undefined : problems[0];
  }
  const types = [type ?? []].flat();
  if (types.length > 0 && !types.some((name) => TYPES[name]?.(value)))
    return `it must be of the type ${types.join(' or ')}`;
  if (choices && !choices.includes(value as string)) return `it must be one of ${choices.join(', ')}`;
  if (typeof value === 'string') return findTextProblem(value) ?? findLengthProblem(schema, value);
  if (typeof value === 'number' && (value < minimum || value > maximum))
    return `it must be from ${inEnglish(minimum)} to ${inEnglish(maximum)}`;
  if (Array.isArray(value)) return findListProblem(schema, value);
  return typeof value === 'object' && value !== null ? findObjectProblem(schema, value) : undefined;
}

function findLengthProblem({ minLength = 0, maxLength, pattern }: FieldSchema, text: string) {
  const { length } = text.length > (maxLength ?? Infinity) || text.length < minLength ? [...text] : text;
  if (length < minLength) return `it must have ${inEnglish(minLength)} characters at least`;
  if (maxLength !== undefined && length > maxLength)
    return `it has ${inEnglish(length)} characters, and ${inEnglish(maxLength)} are allowed`;
  return pattern !== undefined && !new RegExp(pattern).test(text) ? `it must match ${pattern}` : undefined;
}

function findListProblem({ items, minItems = 0, maxItems = Infinity }: FieldSchema, list: unknown[]) {
  if (list.length < minItems) return `it must have ${minItems} items at least`;
  if (list.length > maxItems)
    return `it has ${inEnglish(list.length)} items, and ${inEnglish(maxItems)} are allowed`;
  return firstOf(list, (item) => findProblem(items ?? {}, item));
}

function findObjectProblem(schema: FieldSchema, value: object): string | undefined {
  const { properties = {}, required = [], propertyNames = {}, maxProperties = Infinity } = schema;
  const { additionalProperties: others } = schema;
  const entries = Object.entries(value);
  if (entries.length > maxProperties)
    return `it has ${inEnglish(entries.length)} entries, and ${inEnglish(maxProperties)} are allowed`;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `it must have ${missing}`;
  return firstOf(entries, ([name, part]) => {
    if (isInheritedName(name)) return 'it has a name that cannot be stored';
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const rest = typeof others === 'object' ? others : {};
    return findProblem(propertyNames, name) ?? findProblem(known ?? rest, part);
  });
}

function firstOf<Item>(items: Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = find(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
