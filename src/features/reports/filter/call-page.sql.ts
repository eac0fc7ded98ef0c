import { statement } from '../../../platform/database/statement';
import {
  DAY,
  DAY_MINUTES,
  getNextStart,
  QUARTER,
  QUARTER_MINUTES,
  getStart,
  SUMS_OF_CALLS,
} from '../../calls/counts/call-rollups.sql';
import { STATUS } from '../../calls/model/call-states';
import type { RollupFilter } from './call-filter';
import { FILTER_END, FILTER_START, ifAsked, IS_ROLLUP_MATCH, isBetween } from './call-filter.sql';
import { callsOnPage, slicesOnPage } from './page-of-slices.sql';

interface ListedCall {
  id: string;
  createdAt: Date;
}

interface PageParameters extends RollupFilter {
  /** The id of the agent, or of the workspace for all of its agents. */
  subjectId: string;
  offset: number;
  limit: number;
}

export interface CallTotals {
  total: number;
  successful: number;
  failed: number;
  /** The average of the successful calls. */
  averageSeconds: number;
}

type PageRow<Call extends ListedCall> = CallTotals & ({ id: null } | Call);

export interface ListedPage<Call extends ListedCall> {
  totals: CallTotals;
  calls: Call[];
}

/** Reads the rows of a statement of {@link callPage}. */
export function pageFrom<Call extends ListedCall>(rows: PageRow<Call>[]): ListedPage<Call> {
  const [first] = rows;
  if (!first) throw new Error('A page of calls has no totals');
  return { totals: first, calls: rows.filter((row): row is CallTotals & Call => row.id !== null) };
}

/**
 * SQL: divides the time of the filter, from the newest to the oldest: calls not rolled up, the part of a quarter
 * of an hour, quarters, UTC days, quarters, and again a part of a quarter. Every part may be empty. `_to` is
 * exclusive.
 */
const PARTS = `
  asked AS MATERIALIZED (
    SELECT ${FILTER_START} AS asked_from, ${FILTER_END} AS asked_to,
           COALESCE((SELECT rolled_up_until FROM call_rollup_states WHERE workspace_id = $workspaceId),
                    '-infinity') AS rolled_up_until
  ), rolled_up AS MATERIALIZED (
    SELECT *, LEAST(asked_from, rolled_up_until) AS rows_from, LEAST(asked_to, rolled_up_until) AS rows_to FROM asked
  ), quarters AS MATERIALIZED (
    SELECT *, ${getNextStart(QUARTER, 'rows_from')} AS quarters_from,
           GREATEST(${getNextStart(QUARTER, 'rows_from')}, ${getStart(QUARTER, 'rows_to')}) AS quarters_to
    FROM rolled_up
  ), parts AS MATERIALIZED (
    SELECT *, LEAST(${getNextStart(DAY, 'quarters_from')}, quarters_to) AS days_from,
           GREATEST(LEAST(${getNextStart(DAY, 'quarters_from')}, quarters_to), ${getStart(DAY, 'quarters_to')}) AS days_to
    FROM quarters
  )`;

const ofPart = (column: string) => `(SELECT ${column} FROM parts)`;

/** SQL: the sums of a bucket for the statuses of the filter. */
const SUMS_ASKED = `
  sum(${ifAsked(STATUS.disconnected, 'connected')} + ${ifAsked(STATUS.failed, 'failed')}) AS calls,
  sum(${ifAsked(STATUS.disconnected, 'connected')}) AS connected, sum(${ifAsked(STATUS.failed, 'failed')}) AS failed,
  sum(${ifAsked(STATUS.disconnected, 'seconds')}) AS seconds`;

const isRollup = (bucketMinutes: number) => `
  workspace_id = $workspaceId AND subject_id = $subjectId AND bucket_minutes = ${bucketMinutes}
  AND ($callType::text IS NULL OR call_type = $callType)`;

const buckets = (minutes: number, length: string, condition: string) => `
  SELECT starts_at, starts_at + ${length} AS ends_at, ${minutes} AS minutes, ${SUMS_ASKED}
  FROM call_rollups WHERE ${isRollup(minutes)} AND (${condition}) GROUP BY starts_at`;

/**
 * Makes the statement of one page of calls, newest first, and the totals of all calls that match the filter, from
 * one snapshot. Each row has the totals; a row without an id has nothing else. See decision 24.
 * @param columns the properties of a call, with their columns of `conversations`
 */
export const callPage = <Call extends ListedCall>(
  name: string,
  of: 'workspace' | 'agent',
  columns: Record<keyof Call & string, string>,
) => {
  const properties = Object.entries(columns).map(([property, column]) => `page.${column} AS "${property}"`);
  const isCall = IS_ROLLUP_MATCH + (of === 'agent' ? ' AND call.agent_id = $subjectId' : '');
  return statement<PageParameters, PageRow<Call>>(
    name,
    `
    WITH ${PARTS}, slices AS MATERIALIZED (
      SELECT starts_at, ends_at, 0 AS minutes, counted.*
      FROM parts
      CROSS JOIN LATERAL (VALUES (GREATEST(asked_from, rolled_up_until), asked_to), (quarters_to, rows_to),
                                 (rows_from, LEAST(quarters_from, rows_to))) AS slice (starts_at, ends_at)
      CROSS JOIN LATERAL (
        SELECT calls, connected, failed, seconds FROM (
          SELECT count(*) AS calls, ${SUMS_OF_CALLS} FROM conversations AS call
          WHERE ${isCall} AND ${isBetween('call.created_at', 'slice.starts_at', 'slice.ends_at')}) AS sums) AS counted
      UNION ALL
      ${buckets(QUARTER_MINUTES, QUARTER, isBetween('starts_at', ofPart('quarters_from'), ofPart('days_from')))}
      UNION ALL
      ${buckets(QUARTER_MINUTES, QUARTER, isBetween('starts_at', ofPart('days_to'), ofPart('quarters_to')))}
      UNION ALL
      ${buckets(DAY_MINUTES, DAY, isBetween('starts_at', ofPart('days_from'), ofPart('days_to')))}
    ), totals AS (
      SELECT COALESCE(sum(calls), 0)::int AS total, COALESCE(sum(connected), 0)::int AS successful,
             COALESCE(sum(failed), 0)::int AS failed,
             COALESCE(round(sum(seconds) / NULLIF(sum(connected), 0)), 0)::int AS "averageSeconds"
      FROM slices
    ), found AS MATERIALIZED (
      ${slicesOnPage('slices', 'desc')}
    ), smallest AS MATERIALIZED (
      SELECT starts_at, ends_at, calls FROM found WHERE minutes < ${DAY_MINUTES}
      UNION ALL
      SELECT quarter.starts_at, quarter.ends_at, quarter.calls
      FROM found CROSS JOIN LATERAL (
        ${buckets(QUARTER_MINUTES, QUARTER, isBetween('starts_at', 'found.starts_at', 'found.ends_at'))}) AS quarter
      WHERE found.minutes = ${DAY_MINUTES}
    ), covering AS MATERIALIZED (
      ${slicesOnPage('smallest', 'desc', '(SELECT min(before) FROM found)')}
    ), page AS (
      ${callsOnPage(Object.values(columns), isCall, 'desc')}
    )
    SELECT totals.*, ${properties.join(', ')}
    FROM totals LEFT JOIN page ON true ORDER BY page.created_at DESC, page.id DESC`,
  );
};
