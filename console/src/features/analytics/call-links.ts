import type { Group } from '../../api/series';
import { toFilters } from '../../domain/counted-calls';
import type { Bounds } from './period';
import type { ReportQuery } from './report-query';

/** Outcomes are counted by their first 100 characters, so that a longer one is not known. */
const COUNTED_OUTCOME_LENGTH = 100;

/** The filter of the list of calls for a group; undefined: it has none. */
function toFilter(group: Group, key: string | null): Record<string, string> | undefined {
  if (key === null) return undefined;
  switch (group) {
    case 'agent':
      return { agent_id: key };
    case 'campaign':
      return { campaign_id: key };
    case 'agent_version': {
      const [agent_id = '', agent_version = ''] = key.split('/');
      return { agent_id, agent_version };
    }
    case 'outcome':
      return [...key].length < COUNTED_OUTCOME_LENGTH ? { outcome: key } : undefined;
    case 'direction':
    case 'disconnect_reason':
      return { [group]: key };
  }
}

type Choice = Pick<ReportQuery, 'filters' | 'counted' | 'bounds'>;

/** The address of the calls of a report that were created within a time, which is cut to that of the report. */
export function callsHref(
  { filters, counted, bounds }: Choice,
  within: Bounds = bounds,
  more: Record<string, string> = {},
): string {
  const from = Math.max(within.from, bounds.from);
  const until = Math.min(within.until, bounds.until);
  const query = new URLSearchParams({
    ...filters,
    ...toFilters(counted),
    ...more,
    start_date: new Date(from).toISOString(),
    end_date: new Date(until - 1).toISOString(),
  });
  return `/calls?${query}`;
}

/** The address of the calls of a group; undefined: no filter finds them. @param key undefined: all other groups */
export function groupHref(
  report: Choice,
  group: Group,
  key: string | null | undefined,
  { within = report.bounds, ...more }: { within?: Bounds; status?: string } = {},
): string | undefined {
  const filter = key === undefined ? undefined : toFilter(group, key);
  return filter && callsHref(report, within, { ...filter, ...more });
}
