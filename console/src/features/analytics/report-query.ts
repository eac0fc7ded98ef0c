import { GROUPS, type Group, INTERVALS, type Series } from '../../api/series';
import { type Counted, readCounted, toFilters } from '../../domain/counted-calls';
import { readToday } from '../../ui/filters/periods';
import { isZone, zone } from '../../ui/moment';
import { findMetric, type Metric } from './metrics';
import { type Bounds, getBounds, countDays, intervalFor, type Period, readPeriod } from './period';

/** The choices of the page, all of which are in its address. */
export interface ReportQuery {
  period: Period;
  bounds: Bounds;
  timezone: string;
  /** Today in this zone. */
  today: string;
  interval: Series['interval'];
  /** undefined: the chart has no groups */
  group: Group | undefined;
  metric: Metric;
  isComparing: boolean;
  /** The calls that are counted, but for latency and usage, which are those of all calls. */
  counted: Counted;
  /** The other filters of the API. */
  filters: { agent_id?: string; campaign_id?: string };
}

export const FILTERS = ['agent_id', 'campaign_id'] as const;

/** Reads an address. What it does not have, or has wrong, is as in an address without it. */
export function readReportQuery(parameters: URLSearchParams): ReportQuery {
  const period = readPeriod(parameters);
  const zoneName = parameters.get('timezone') ?? zone;
  const timezone = isZone(zoneName) ? zoneName : zone;
  const getValue = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === parameters.get(name));
  const filters = FILTERS.flatMap((name) => {
    const value = parameters.get(name);
    return value ? [[name, value]] : [];
  });
  return {
    period,
    bounds: getBounds(period, timezone),
    timezone,
    today: readToday(parameters),
    interval: getValue('interval', INTERVALS) ?? intervalFor(countDays(period)),
    group: getValue('group_by', GROUPS),
    metric: findMetric(parameters.get('metric')),
    isComparing: parameters.get('compare') !== 'no',
    counted: readCounted(parameters),
    filters: Object.fromEntries(filters) as ReportQuery['filters'],
  };
}

/** The query of the API for all calls of a period. */
export const allCallsQuery = (
  { timezone, filters }: ReportQuery,
  { start, end }: Period,
  interval: Series['interval'],
) => ({ start_date: start, end_date: end, interval, timezone, ...filters });

/** The query of the API for the counted calls of a period. */
export const seriesQuery = (report: ReportQuery, period: Period, interval: Series['interval']) => ({
  ...allCallsQuery(report, period, interval),
  ...toFilters(report.counted),
});
