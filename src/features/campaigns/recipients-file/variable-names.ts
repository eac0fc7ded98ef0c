import { visibleText } from '../../../platform/validation/plain-text';

/** Returns the same key for all spellings of a name: First Name, first_name, first-name, firstName. */
export const normalizeKey = (name: string) =>
  visibleText(name)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');

/** Headers that differ in case and spaces only are the same. */
export const normalizeHeader = (header: string) =>
  visibleText(header).trim().toLowerCase().replace(/\s+/g, '_');

/** Two columns match the same variable. */
export interface Ambiguity {
  name: string;
  columns: [number, number];
}

/**
 * Finds the column of each variable, under each of the agent's names for it, or else under its own name.
 * @param columns the columns by their normalized headers
 * @param aliases the names of variables as the agent spells them
 */
export function matchVariables(
  columns: Map<string, number>,
  aliases: string[],
): Map<string, number> | Ambiguity {
  const byKey = new Map<string, Set<number>>();
  for (const [name, column] of columns) {
    const sameKey = byKey.get(normalizeKey(name)) ?? new Set();
    byKey.set(normalizeKey(name), sameKey.add(column));
  }
  const variables = new Map<string, number>();
  const aliased = new Set<string>();
  for (const name of new Set(aliases.map((alias) => alias.trim()))) {
    const exact = columns.get(normalizeHeader(name));
    const matches = exact === undefined ? [...(byKey.get(normalizeKey(name)) ?? [])] : [exact];
    const [column, other] = matches;
    if (column === undefined || name in Object.prototype) continue;
    if (other !== undefined) return { name, columns: [column, other] };
    variables.set(name, column);
    aliased.add(`${column} ${normalizeKey(name)}`);
  }
  for (const [name, column] of columns) {
    if (!aliased.has(`${column} ${normalizeKey(name)}`)) variables.set(name, column);
  }
  return variables;
}
