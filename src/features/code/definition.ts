import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import stringify from 'safe-stable-stringify';

/** A resource as a file has it: what is left out has its default. */
export type Definition = Record<string, unknown>;

/** Changes exactly if the definition does. */
export const toRevision = (definition: Definition): string =>
  createHash('sha256').update(stringify(definition)).digest('hex').slice(0, 32);

/** The names of the fields that one definition has otherwise than the other. */
export function listChangedFields(before: Definition, after: Definition): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** The values without those that are the default. An object of defaults is compared field by field. */
export function leaveOutDefaults(values: object, defaults: object): Definition {
  const given = values as Definition;
  return Object.fromEntries(
    Object.entries(defaults).flatMap(([name, byDefault]: [string, unknown]) => {
      const value = given[name];
      if (value === undefined || isDeepStrictEqual(value, byDefault)) return [];
      const isNested = isObject(value) && isObject(byDefault) && Object.keys(byDefault).length > 0;
      if (!isNested) return [[name, value]];
      const nested = leaveOutDefaults(value, byDefault);
      return Object.keys(nested).length > 0 ? [[name, nested]] : [];
    }),
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
