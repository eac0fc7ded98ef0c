/** What a name says, however it is written: First Name, first_name, first-name, firstName. */
export const loosely = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');

/** Headers that differ in case and spaces only are the same. */
export const normalized = (header: string) => header.trim().toLowerCase().replace(/\s+/g, '_');

/** One spelling that two columns could be meant by. */
export interface Ambiguity {
  name: string;
  columns: [number, number];
}

/**
 * Which column fills each variable: under every name that the agent has for it, else under its own.
 * @param columns by their normalized names
 * @param spellings names of variables as the agent spells them
 */
export function variablesOf(
  columns: Map<string, number>,
  spellings: string[],
): Map<string, number> | Ambiguity {
  const alike = new Map<string, Set<number>>();
  for (const [name, column] of columns) {
    const others = alike.get(loosely(name)) ?? new Set();
    alike.set(loosely(name), others.add(column));
  }
  const variables = new Map<string, number>();
  const spelled = new Set<string>();
  for (const name of new Set(spellings.map((spelling) => spelling.trim()))) {
    const exactly = columns.get(normalized(name));
    const meant = exactly === undefined ? [...(alike.get(loosely(name)) ?? [])] : [exactly];
    const [column, other] = meant;
    if (column === undefined || name in Object.prototype) continue;
    if (other !== undefined) return { name, columns: [column, other] };
    variables.set(name, column);
    spelled.add(`${column} ${loosely(name)}`);
  }
  for (const [name, column] of columns) {
    if (!spelled.has(`${column} ${loosely(name)}`)) variables.set(name, column);
  }
  return variables;
}
