import type { Schemas } from '../api/client';
import {
  findPeriod,
  PERIODS,
  type PeriodName,
  type PeriodParameters,
  readToday,
  resolvePeriod,
} from '../ui/filters/periods';

type View = Pick<Schemas['SavedViewDto'], 'query' | 'period'>;

/** The filters that a view does not keep: they name a person. */
export const PERSONAL = ['number', 'customer_name', 'external_id'];

/** Makes a view of the query of an address. A period with a name has the days at the time at which the view is opened. */
export function toView(parameters: URLSearchParams, times: PeriodParameters): View {
  const kept = new URLSearchParams(parameters);
  for (const name of ['page', ...PERSONAL]) kept.delete(name);
  const days = times.toDays(kept.get(times.start) ?? '', kept.get(times.end) ?? '');
  return { query: kept.toString(), period: (days && findPeriod(days, readToday(kept))) ?? null };
}

/** A later release may know other periods. */
const isPeriod = (name: string | null): name is PeriodName => PERIODS.some((period) => period === name);

/** @returns the query of the address for a view that is opened at a time */
export function toViewQuery({ query, period }: View, times: PeriodParameters, now: Date): string {
  if (!isPeriod(period)) return query;
  const parameters = new URLSearchParams(query);
  const { start, end } = times.fromDays(resolvePeriod(period, readToday(parameters, now)));
  parameters.set(times.start, start);
  parameters.set(times.end, end);
  return parameters.toString();
}
