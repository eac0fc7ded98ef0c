/** Converts the date-time of an input, which is in the viewer's zone, to ISO 8601. */
export const toUtc = (value: string) => (/T\d\d:\d\d$/.test(value) ? new Date(value).toISOString() : value);

/** Whether filters or the page may be the reason why a list is empty. */
export const isNarrowed = (parameters: URLSearchParams, names: readonly string[]) =>
  ['page', ...names].some((name) => parameters.has(name));

/** The query of the API for the query of an address: its filters, times in UTC, and the page. */
export function filterQuery(
  parameters: URLSearchParams,
  names: string[],
  limit = 25,
): Record<string, string | number> {
  const query: Record<string, string | number> = { limit, page: Number(parameters.get('page') ?? 1) };
  for (const name of names) {
    const value = parameters.get(name);
    if (value) query[name] = name.endsWith('_date') ? toUtc(value) : value;
  }
  return query;
}
