import { Link } from 'wouter';
import { api } from '../../api/client';
import { toPeriodUtc } from '../../ui/filters/filter-query';
import { getWeek, toMinutes } from '../../ui/filters/periods';
import { texts } from '../../texts';

const MINUTE_MS = 60_000;

/** The calls that a number had in the last seven days: their count, which leads to their list. */
export function CallsOfNumber({ number }: { number: string }) {
  const { start, end } = toMinutes(getWeek());
  const { data } = api.useQuery(
    'get',
    '/api/calls',
    { params: { query: { number, start_date: toPeriodUtc('start_date', start), limit: 1 } } },
    { staleTime: MINUTE_MS },
  );
  if (!data) return texts.common.none;
  const { total, totalIsLowerBound } = data.pagination;
  const count = totalIsLowerBound ? texts.common.atLeast(total) : total.toLocaleString();
  if (total === 0) return count;
  return (
    <Link
      href={`/calls?${new URLSearchParams({ number, start_date: start, end_date: end })}`}
      aria-label={texts.numbers.callsNamed(number, count)}
    >
      {count}
    </Link>
  );
}
