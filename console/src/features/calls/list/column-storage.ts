const KEY = 'parley.columns.calls';

/** The columns that the list has unless the user has chosen others. */
export const USUAL_COLUMNS: readonly string[] = [
  'number',
  'status',
  'agent',
  'created',
  'duration',
  'charge',
  'reason',
  'outcome',
];

/** The columns that this browser keeps. */
export function readColumns(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : USUAL_COLUMNS;
  } catch {
    return USUAL_COLUMNS;
  }
}

/** @param columns undefined: the usual ones. @returns the columns that are shown from now on */
export function storeColumns(columns: string[] | undefined): readonly string[] {
  if (columns) localStorage.setItem(KEY, JSON.stringify(columns));
  else localStorage.removeItem(KEY);
  return columns ?? USUAL_COLUMNS;
}
