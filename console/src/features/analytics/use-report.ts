import { useState } from 'react';
import { type Group, type SeriesQuery, useSeries } from '../../api/series';
import { dayText, daysBefore } from '../../ui/moment';
import { addDays, countDays, intervalFor, type Period, periodBefore } from './period';
import { type ReportQuery, seriesQuery } from './report-query';
import { ENDED } from './rows';

/** The number of days whose hours a series may have: it has at most 2,000 buckets. */
const MAX_DAYS_OF_HOURS = 83;

type Query = ReturnType<typeof useSeries>;

const isRead = ({ isFetched }: Query) => isFetched;

/** The last days of a period whose hours can be read at once. */
function getLastDays(period: Period): Period {
  return countDays(period) > MAX_DAYS_OF_HOURS
    ? { ...period, start: addDays(period.end, 1 - MAX_DAYS_OF_HOURS) }
    : period;
}

/** The same time of the day in the period before, if the period ends today. */
function useSoFar({ period, isComparing }: ReportQuery): string | undefined {
  const [opened] = useState(() => new Date());
  if (!isComparing || period.end !== dayText(opened)) return undefined;
  return daysBefore(opened, countDays(period)).toISOString();
}

/**
 * Reads what the page shows. A workspace may read two series at once, so that each pair waits for the pair above it.
 */
export function useReport(report: ReportQuery) {
  const { period, interval, group, isComparing } = report;
  const before = periodBefore(period);
  const soFar = useSoFar(report);
  const sideGroup: Group = group ?? 'agent';
  const lastDays = getLastDays(period);
  // The reasons have a request of their own, because a series of hours with every reason would be large.
  const byReason = { group_by: 'disconnect_reason' } as const;
  const whole = (days: Period, more: Partial<SeriesQuery>): SeriesQuery => ({
    ...seriesQuery(report, days, 'month'),
    ...more,
  });

  const series = useSeries({ ...seriesQuery(report, period, interval), ...(group && { group_by: group }) });
  const ends = useSeries(whole(period, byReason));
  const isFirstRead = isRead(series) && isRead(ends);

  const seriesBefore = useSeries(seriesQuery(report, before, interval), isComparing && isFirstRead);
  const endsBefore = useSeries(
    whole(before, { ...byReason, ...(soFar && { end_date: soFar }) }),
    isComparing && isFirstRead,
  );
  const isSecondRead = isFirstRead && (!isComparing || (isRead(seriesBefore) && isRead(endsBefore)));

  const groups = useSeries(whole(period, { group_by: sideGroup }), isSecondRead);
  const outcomes = useSeries(
    {
      ...seriesQuery(report, period, intervalFor(countDays(period))),
      group_by: 'outcome',
      status: [ENDED],
    },
    isSecondRead,
  );
  const isThirdRead = isSecondRead && isRead(groups) && isRead(outcomes);

  const hours = useSeries(seriesQuery(report, lastDays, 'hour'), isThirdRead);
  return {
    before,
    isSoFar: soFar !== undefined,
    lastDays: lastDays === period ? undefined : MAX_DAYS_OF_HOURS,
    sideGroup,
    ...{ series, ends, seriesBefore, endsBefore, groups, outcomes, hours },
  };
}
