import { readRowsPerPage } from '../table/rows-per-page';
import type { PeriodParameters } from './periods';

/** The parameters of an address that narrow a list. */
export const namesOf = (filters: { name: string }[], times?: PeriodParameters): string[] => [
  ...filters.map(({ name }) => name),
  ...(times ? [times.start, times.end] : []),
];

/** Converts the date-time of an input, which is in the viewer's zone, to ISO 8601. */
export const toUtc = (value: string) => (/T\d\d:\d\d$/.test(value) ? new Date(value).toISOString() : value);

const MINUTE_MS = 60_000;

/**
 * Converts the first or the last minute of a period to ISO 8601. The last minute belongs to the period.
 * @param name start_date or end_date
 */
export function toPeriodUtc(name: string, value: string): string {
  const start = toUtc(value);
  if (name !== 'end_date' || start === value) return start;
  return new Date(Date.parse(start) + MINUTE_MS - 1).toISOString();
}

/** Whether filters or the page may be the reason why a list is empty. */
export const isNarrowed = (parameters: URLSearchParams, names: readonly string[]) =>
  ['page', ...names].some((name) => parameters.has(name));

/** The query of the API for the query of an address: its filters, times in UTC, and the page. */
export function filterQuery(
  parameters: URLSearchParams,
  names: string[],
  limit = readRowsPerPage(),
): Record<string, string | number> {
  const query: Record<string, string | number> = { limit, page: Number(parameters.get('page') ?? 1) };
  for (const name of names) {
    const value = parameters.get(name);
    if (value) query[name] = name.endsWith('_date') ? toPeriodUtc(name, value) : value;
  }
  return query;
}
