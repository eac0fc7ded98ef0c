import { createHash } from 'node:crypto';
import type { Schemas } from '../../types';

export type Kind = Schemas['CodeResourceDto']['kind'];
export type Definition = Record<string, unknown>;

export interface Named {
  kind: Kind;
  slug: string;
}

/** A resource as a file has it. */
export interface Resource extends Named {
  definition: Definition;
}

/** The key of a resource in the lock file, such as `rehearsal/front-desk/table-for-two`. */
export const toKey = ({ kind, slug }: Named): string => `${kind}/${slug}`;

/** Changes exactly if the definition does, whatever the order of its names. */
export const toHash = (definition: Definition): string =>
  createHash('sha256').update(JSON.stringify(definition, sortNames)).digest('hex').slice(0, 32);

function sortNames(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
