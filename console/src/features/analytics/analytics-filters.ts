import { GROUPS, INTERVALS } from '../../api/series';
import { COUNTED_CHOICES, COUNTED_PARAMETER, USUAL } from '../../domain/counted-calls';
import { listCountedFilters } from '../../domain/counted-filters';
import { texts } from '../../texts';
import type { Filter } from '../../ui/filters/filter-bar';
import { zone } from '../../ui/moment';
import { findMetric, METRICS } from './metrics';
import { countDays, intervalFor } from './period';
import { type ReportQuery, seriesQuery } from './report-query';

const { fields, intervals, groups, noGroup } = texts.analytics;

const INTERVAL_CHOICES = INTERVALS.map((value) => ({ value, label: intervals[value] }));
const GROUP_CHOICES = [
  { value: '', label: noGroup },
  ...GROUPS.map((value) => ({ value, label: groups[value] })),
];
const METRIC_CHOICES = METRICS.map(({ key, name }) => ({ value: key, label: name }));
const ZONES = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}));

/** The choices of the calls and the figures of the page, but the period. */
export function listFilters(report: ReportQuery): Filter[] {
  const { agent_id, campaign_id } = listCountedFilters(seriesQuery(report, report.period, 'month'));
  const usualInterval = intervalFor(countDays(report.period));
  return [
    { name: COUNTED_PARAMETER, label: texts.counted.label, choices: COUNTED_CHOICES, usual: USUAL },
    { name: 'metric', label: fields.metric, choices: METRIC_CHOICES, usual: findMetric(null).key },
    { name: 'group_by', label: fields.group_by, choices: GROUP_CHOICES, usual: '' },
    { name: 'interval', label: fields.interval, choices: INTERVAL_CHOICES, usual: usualInterval },
    agent_id,
    campaign_id,
    { name: 'timezone', label: fields.timezone, choices: ZONES },
    { name: 'compare', label: fields.compare, choices: [{ value: 'no', label: texts.common.no }] },
  ];
}
