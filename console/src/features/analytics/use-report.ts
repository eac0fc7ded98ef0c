import { useState } from 'react';
import { type Group, type SeriesQuery, useSeries } from '../../api/series';
import { type MeasurementGroup, MEASUREMENT_GROUPS, useMeasurements } from '../../api/measurements';
import { addDays } from '../../ui/filters/periods';
import { daysBefore } from '../../ui/moment';
import { countDays, intervalFor, type Period, periodBefore } from './period';
import { allCallsQuery, type ReportQuery, seriesQuery } from './report-query';
import { ENDED } from './rows';

/** The number of days whose hours a series may have: it has at most 2,000 buckets. */
const MAX_DAYS_OF_HOURS = 83;

/** The last days of a period whose hours can be read at once. */
function getLastDays(period: Period): Period {
  return countDays(period) > MAX_DAYS_OF_HOURS
    ? { ...period, start: addDays(period.end, 1 - MAX_DAYS_OF_HOURS) }
    : period;
}

/** The same time of the day in the period before, if the period ends today. */
function useSoFar({ period, today, isComparing }: ReportQuery): string | undefined {
  const [opened] = useState(() => new Date());
  if (!isComparing || period.end !== today) return undefined;
  return daysBefore(opened, countDays(period)).toISOString();
}

/** Latency is not counted by every group. */
const findMeasuredGroup = (group: Group): MeasurementGroup =>
  MEASUREMENT_GROUPS.find((measured) => measured === group) ?? 'agent';

/** Reads what the page shows, in the order of its parts: the requests take turns. */
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
  const allCalls = useSeries(allCallsQuery(report, period, 'month'), report.counted !== 'all');
  const seriesBefore = useSeries(seriesQuery(report, before, interval), isComparing);
  const endsBefore = useSeries(
    whole(before, { ...byReason, ...(soFar && { end_date: soFar }) }),
    isComparing,
  );
  const groups = useSeries(whole(period, { group_by: sideGroup }));
  const outcomes = useSeries({
    ...seriesQuery(report, period, intervalFor(countDays(period))),
    group_by: 'outcome',
    status: [ENDED],
  });
  const hours = useSeries(seriesQuery(report, lastDays, 'hour'));
  const measuredGroup = findMeasuredGroup(sideGroup);
  const measured = useMeasurements({
    ...allCallsQuery(report, period, interval),
    group_by: measuredGroup,
  });
  const measuredBefore = useMeasurements(
    { ...allCallsQuery(report, before, 'month'), ...(soFar && { end_date: soFar }) },
    isComparing,
  );
  return {
    isSoFar: soFar !== undefined,
    allCalls: report.counted === 'all' ? undefined : allCalls.data?.totals.calls,
    lastDays: lastDays === period ? undefined : MAX_DAYS_OF_HOURS,
    sideGroup,
    measuredGroup,
    ...{ series, ends, seriesBefore, endsBefore, groups, outcomes, hours },
    ...{ measured, measuredBefore },
  };
}
