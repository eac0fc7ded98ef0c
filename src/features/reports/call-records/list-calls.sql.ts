import { type Statement, statement, unpreparedStatement } from '../../../platform/database/statement';
import type { SortOrder } from '../../../platform/http/pagination';
import type { CallFilter } from '../filter/call-filter';
import { IS_MATCH, IS_MATCH_BY_TIME, isBetween, isNumber } from '../filter/call-filter.sql';
import { callsOnPage, slicesOnPage } from '../filter/page-of-slices.sql';
import type { CallSortField } from '../filter/call-filter.dto';
import { CALL_RECORD, type CallRecord } from '../filter/call-record.sql';
import {
  COUNTS_OF_DURATIONS,
  COUNTS_OF_NUMBER,
  SEGMENT_SUMS,
  type SliceParameters,
} from '../filter/segment-slices.sql';

interface Place {
  offset: number;
  limit: number;
}

export type PageRow = { total: number } & ({ id: null } | CallRecord);

type PageStatement<Parameters> = Statement<Parameters & Place, PageRow>;

/*
 * Each statement returns a page of calls with the number of all that match, from one snapshot. A row without an id has
 * the number alone. The pages are not prepared, so that Postgres plans them for the conditions that are given.
 */

const pageWithTotal = (inOrder: string) => `
  SELECT total.total, record.*
  FROM total LEFT JOIN LATERAL (
    SELECT ${CALL_RECORD}
    FROM page JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
    ORDER BY ${inOrder}
  ) AS record ON true`;

const getOrder = (column: CallSortField, order: SortOrder) =>
  `call.${column} ${order} NULLS LAST, call.id ${order}`;

type ByOrder<Value> = Record<SortOrder, Value>;
type BySort<Value> = Record<CallSortField, ByOrder<Value>>;

const byOrder = <Value>(make: (order: SortOrder) => Value): ByOrder<Value> => ({
  asc: make('asc'),
  desc: make('desc'),
});

const bySort = <Value>(make: (column: CallSortField, order: SortOrder) => Value): BySort<Value> => ({
  created_at: byOrder((order) => make('created_at', order)),
  ended_at: byOrder((order) => make('ended_at', order)),
  duration_sec: byOrder((order) => make('duration_sec', order)),
  charge: byOrder((order) => make('charge', order)),
});

const getName = (column: CallSortField, order: SortOrder) => `${column.replace('_', '-')}-${order}`;

/** Reads all calls that match. */
export const LIST_CALLS = bySort<PageStatement<CallFilter>>((column, order) =>
  unpreparedStatement(
    `list-calls-by-${getName(column, order)}`,
    `
    WITH page AS MATERIALIZED (
      SELECT id FROM conversations AS call WHERE ${IS_MATCH}
      ORDER BY ${getOrder(column, order)} OFFSET $offset LIMIT $limit
    ), total AS (
      SELECT count(*)::int AS total FROM conversations AS call WHERE ${IS_MATCH}
    )
    ${pageWithTotal(getOrder(column, order))}`,
  ),
);

/** Lists calls by a filter for which an index finds few calls: it finds them once, whatever Postgres estimates. */
export const LIST_FEW_CALLS = bySort<PageStatement<CallFilter>>((column, order) =>
  unpreparedStatement(
    `list-few-calls-by-${getName(column, order)}`,
    `
    WITH few AS MATERIALIZED (
      SELECT id, ${column} FROM conversations AS call WHERE ${IS_MATCH}
    ), page AS MATERIALIZED (
      SELECT id FROM few AS call ORDER BY ${getOrder(column, order)} OFFSET $offset LIMIT $limit
    ), total AS (
      SELECT count(*)::int AS total FROM few
    )
    ${pageWithTotal(getOrder(column, order))}`,
  ),
);

/** Lists calls that segments count. Segments and the times beside them are the slices. See decision 24. */
const listCounted = <Parameters extends CallFilter>(name: string, sums: string) =>
  byOrder<PageStatement<Parameters>>((order) =>
    unpreparedStatement(
      `${name}-${order}`,
      `
    WITH ${sums}, counted AS MATERIALIZED (
      SELECT starts_at, NULL::timestamptz AS ends_at, sum(connected + failed)::int AS calls FROM sums GROUP BY 1
      UNION ALL
      SELECT starts_at, ends_at, calls
      FROM slices CROSS JOIN LATERAL (
        SELECT count(*)::int AS calls FROM conversations AS call
        WHERE ${IS_MATCH_BY_TIME} AND ${isBetween('call.created_at', 'slices.starts_at', 'slices.ends_at')}) AS read
    ), total AS (
      SELECT COALESCE(sum(calls), 0)::int AS total FROM counted
    ), covering AS MATERIALIZED (
      SELECT starts_at, before, COALESCE(ends_at, (
        SELECT ends_at FROM call_segments AS segment
        WHERE workspace_id = $workspaceId AND segment.starts_at = slice.starts_at)) AS ends_at
      FROM (${slicesOnPage('counted', order)}) AS slice
    ), page AS MATERIALIZED (
      ${callsOnPage(['id', 'created_at'], IS_MATCH_BY_TIME, order)}
    )
    ${pageWithTotal(getOrder('created_at', order))}`,
    ),
  );

/** Counts the calls of the segments by their values. */
export const LIST_CALLS_BY_VALUE = listCounted<SliceParameters>('list-calls-counted-by-value', SEGMENT_SUMS);

/** Counts the calls of the segments by their durations. */
export const LIST_CALLS_BY_DURATION = listCounted<CallFilter>(
  'list-calls-counted-by-duration',
  COUNTS_OF_DURATIONS,
);

/** Lists calls by a number that lines of the workspace have, if each line has many calls. */
export const LIST_CALLS_BY_NUMBER = listCounted<CallFilter>('list-calls-counted-by-number', COUNTS_OF_NUMBER);

/** Whether calls that have been counted were made with a line of the workspace that has the number of a filter. */
export const HAS_LINE = statement<Pick<CallFilter, 'workspaceId' | 'reversedNumber'>, { hasLine: boolean }>(
  'has-line-of-number',
  `
    SELECT EXISTS (
      SELECT FROM call_values WHERE workspace_id = $workspaceId AND dimension = 'line' AND ${isNumber('value')}
    ) AS "hasLine"`,
);
