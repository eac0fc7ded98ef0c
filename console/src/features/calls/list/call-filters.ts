import type { operations } from '../../../api/schema';
import { toPeriodUtc } from '../../../ui/filters/filter-query';
import { readRowsPerPage } from '../../../ui/table/rows-per-page';

/** The filters by findings have names of their own, and are no part of the form. */
type ListCallsQuery = Omit<
  NonNullable<operations['listCalls']['parameters']['query']>,
  'field' | 'criterion'
>;

/** The parameters of the list, by the type that the address is parsed to. */
const NUMBERS = ['page', 'limit', 'agent_version', 'duration_min', 'duration_max'];
const LISTS = ['status', 'disconnect_reason'];
const TEXTS = [
  ...[
    'agent_id',
    'campaign_id',
    'direction',
    'channel',
    'call_type',
    'number',
    'customer_name',
    'external_id',
  ],
  ...['outcome', 'start_date', 'end_date', 'worker_id', 'sortBy', 'sortOrder'],
];

export const FILTERS = [...NUMBERS.slice(2), ...LISTS, ...TEXTS.slice(0, -2)];

/** Converts the query of the page's address to the query of the API. */
export function toQuery(parameters: URLSearchParams): ListCallsQuery {
  const query: Record<string, unknown> = { limit: readRowsPerPage() };
  for (const name of NUMBERS) if (parameters.get(name)) query[name] = Number(parameters.get(name));
  for (const name of LISTS) if (parameters.has(name)) query[name] = parameters.getAll(name);
  for (const name of TEXTS) {
    const value = parameters.get(name);
    if (value) query[name] = name.endsWith('_date') ? toPeriodUtc(name, value) : value;
  }
  return query;
}
