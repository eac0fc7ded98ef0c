import type { operations } from '../../api/schema';

type ListCallsQuery = NonNullable<operations['listCalls']['parameters']['query']>;

/** The parameters of the list, each with how it is read from the address. */
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

/** A date-time of the viewer's zone, as an input has it, as ISO 8601. */
const utcOf = (value: string) => (/T\d\d:\d\d$/.test(value) ? new Date(value).toISOString() : value);

/** The query of the API for the query of the page's address. */
export function queryOf(parameters: URLSearchParams): ListCallsQuery {
  const query: Record<string, unknown> = { limit: 25 };
  for (const name of NUMBERS) if (parameters.get(name)) query[name] = Number(parameters.get(name));
  for (const name of LISTS) if (parameters.has(name)) query[name] = parameters.getAll(name);
  for (const name of TEXTS) {
    const value = parameters.get(name);
    if (value) query[name] = name.endsWith('_date') ? utcOf(value) : value;
  }
  return query;
}

export const hasFilters = (parameters: URLSearchParams) => FILTERS.some((name) => parameters.has(name));
