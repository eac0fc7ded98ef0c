/** The values of a closed list, by themselves: `byName(['queued']).queued` is `'queued'`. */
export const byName = <Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as { readonly [Name in Value]: Name };

/** Values of a closed list as SQL, such as `'scheduled', 'running'`. They must not come from a request. */
export const literals = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
