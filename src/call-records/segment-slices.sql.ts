import { STATUS } from '../calls/call-states';
import type { CallFilter } from './call-filter';
import type { CountedValues } from './counted-values';

export type SliceParameters = CallFilter & CountedValues;

const FROM = `COALESCE($createdFrom::timestamptz, '-infinity')`;
const TO = `COALESCE($createdUntil::timestamptz + interval '1 millisecond', 'infinity')`;

/** SQL: the segments that are whole in the time that a filter asks for. */
export const IS_WHOLE_SEGMENT = `workspace_id = $workspaceId AND starts_at >= ${FROM} AND ends_at <= ${TO}`;

const ifAsked = (status: string, sum: string) =>
  `CASE WHEN $statuses::text[] IS NULL OR '${status}' = ANY ($statuses) THEN ${sum} ELSE 0 END`;

/** The sums of a value, as the filter asks for them; seconds and credits are those of connected calls. */
const SUMS_ASKED = `
  ${ifAsked(STATUS.disconnected, 'connected')} AS connected, ${ifAsked(STATUS.failed, 'failed')} AS failed,
  ${ifAsked(STATUS.disconnected, 'seconds')} AS seconds, ${ifAsked(STATUS.disconnected, 'credits')} AS credits`;

const ofChosen = (table: string, startsAt: string) => `
  SELECT ${startsAt} AS starts_at, chosen.value, ${SUMS_ASKED}
  FROM whole CROSS JOIN chosen JOIN ${table} AS rollup ON rollup.value_id = chosen.value_id
    AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to`;

const SEGMENT_OF_CORRECTION = `(
  SELECT starts_at FROM call_segments
  WHERE workspace_id = $workspaceId AND starts_at <= rollup.starts_at ORDER BY starts_at DESC LIMIT 1)`;

/**
 * SQL: CTEs for a filter. `sums` has the sums of the segments by value, for the segments that are whole in the time that
 * is asked for. `slices` has the parts of that time before and after them, whose calls have to be read; `_to` and
 * `ends_at` are exclusive.
 */
export const SEGMENT_SUMS = `
  span AS MATERIALIZED (
    SELECT (SELECT starts_at FROM call_segments WHERE ${IS_WHOLE_SEGMENT} ORDER BY starts_at LIMIT 1) AS first,
           (SELECT ends_at FROM call_segments WHERE ${IS_WHOLE_SEGMENT} ORDER BY starts_at DESC LIMIT 1) AS last
  ), whole AS MATERIALIZED (
    SELECT COALESCE(first, ${FROM}) AS whole_from, COALESCE(last, ${FROM}) AS whole_to FROM span
  ), slices AS MATERIALIZED (
    SELECT slice.* FROM whole
    CROSS JOIN LATERAL (VALUES (${FROM}, whole_from), (whole_to, ${TO})) AS slice (starts_at, ends_at)
    WHERE slice.starts_at < slice.ends_at
  ), chosen AS MATERIALIZED (
    SELECT id AS value_id, value FROM call_values
    WHERE workspace_id = $workspaceId AND dimension = $dimension
      AND ($values::text[] IS NULL OR value = ANY ($values)
           OR (dimension = 'agent_version' AND split_part(value, '/', 2) = ANY ($values)))
  ), sums AS NOT MATERIALIZED (
    ${ofChosen('call_value_rollups', 'rollup.starts_at')}
    UNION ALL
    ${ofChosen('call_value_corrections', SEGMENT_OF_CORRECTION)}
  )`;
