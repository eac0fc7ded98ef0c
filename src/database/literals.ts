/** The values of a closed list, for `IN (…)` in a CHECK constraint. They must not come from a request. */
export const literals = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
