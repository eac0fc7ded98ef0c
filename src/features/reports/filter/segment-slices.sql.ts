import { lineNumber } from '../../calls/model/call-parties.sql';
import { type ConversationStatus, STATUS } from '../../calls/model/call-states';
import type { CallFilter } from './call-filter';
import { FILTER_END, FILTER_START, ifAsked, IS_PERSON, isNumber } from './call-filter.sql';
import type { CountedValues } from './counted-values';

export type SliceParameters = CallFilter & CountedValues;

const MAX_INTEGER = 2_147_483_647;

/** SQL: whether a segment is completely in the time of the filter. */
export const IS_WHOLE_SEGMENT = `workspace_id = $workspaceId AND starts_at >= ${FILTER_START} AND ends_at <= ${FILTER_END}`;

/** SQL: 1 if a row `call` has a status of the filter, else 0. */
const countIn = (status: ConversationStatus) => ifAsked(status, `(call.status = '${status}')::int`);

/** SQL: the sums of a value for the statuses of the filter; seconds and credits are those of connected calls. */
const SUMS_ASKED = `
  ${ifAsked(STATUS.disconnected, 'connected')} AS connected, ${ifAsked(STATUS.failed, 'failed')} AS failed,
  ${ifAsked(STATUS.disconnected, 'seconds')} AS seconds, ${ifAsked(STATUS.disconnected, 'credits')} AS credits`;

const ofChosen = (table: string, startsAt: string) => `
  SELECT ${startsAt} AS starts_at, chosen.value, ${SUMS_ASKED}
  FROM whole CROSS JOIN chosen JOIN ${table} AS rollup ON rollup.value_id = chosen.value_id
    AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to`;

/** SQL: the start of the segment of a time. */
const getSegment = (time: string) => `(
  SELECT starts_at FROM call_segments
  WHERE workspace_id = $workspaceId AND starts_at <= ${time} ORDER BY starts_at DESC LIMIT 1)`;

/** SQL: CTEs for the times of a filter: see {@link SEGMENT_SUMS}. */
const TIMES = `
  span AS MATERIALIZED (
    SELECT (SELECT starts_at FROM call_segments WHERE ${IS_WHOLE_SEGMENT} ORDER BY starts_at LIMIT 1) AS first,
           (SELECT ends_at FROM call_segments WHERE ${IS_WHOLE_SEGMENT} ORDER BY starts_at DESC LIMIT 1) AS last
  ), whole AS MATERIALIZED (
    SELECT COALESCE(first, ${FILTER_START}) AS whole_from, COALESCE(last, ${FILTER_START}) AS whole_to FROM span
  ), slices AS MATERIALIZED (
    SELECT slice.* FROM whole
    CROSS JOIN LATERAL (VALUES (${FILTER_START}, whole_from), (whole_to, ${FILTER_END})) AS slice (starts_at, ends_at)
    WHERE slice.starts_at < slice.ends_at
  )`;

const chosenIn = (dimension: string, condition: string) => `
  chosen AS MATERIALIZED (
    SELECT id AS value_id, value FROM call_values
    WHERE workspace_id = $workspaceId AND dimension = ${dimension} AND ${condition}
  )`;

const SUMS_OF_CHOSEN = `
    ${ofChosen('call_value_rollups', 'rollup.starts_at')}
    UNION ALL
    ${ofChosen('call_value_corrections', getSegment('rollup.starts_at'))}`;

/**
 * SQL: CTEs for a filter. `sums` has the sums of the segments by value, for the segments that are whole in the time that
 * is asked for. `slices` has the parts of that time before and after them, whose calls have to be read; `_to` and
 * `ends_at` are exclusive.
 */
export const SEGMENT_SUMS = `${TIMES}, ${chosenIn(
  '$dimension',
  `(
    $values::text[] IS NULL OR value = ANY ($values)
    OR (dimension = 'agent_version' AND string_to_array(value, '/') && $values))`,
)}, sums AS NOT MATERIALIZED (
    ${SUMS_OF_CHOSEN}
  )`;

/**
 * SQL: the same as {@link SEGMENT_SUMS} with counts alone, for a number: the calls of a line, and by its index
 * those of a person.
 */
export const COUNTS_OF_NUMBER = `${TIMES}, ${chosenIn(`'line'`, isNumber('value'))}, sums AS NOT MATERIALIZED (
    SELECT starts_at, connected, failed FROM (${SUMS_OF_CHOSEN}) AS of_line
    UNION ALL
    SELECT ${getSegment('call.created_at')}, ${countIn(STATUS.disconnected)}, ${countIn(STATUS.failed)}
    FROM whole JOIN conversations AS call ON call.created_at >= whole_from AND call.created_at < whole_to
    WHERE call.workspace_id = $workspaceId AND ${IS_PERSON} AND NOT ${isNumber(lineNumber('call'))}
  )`;

/** SQL: how many elements of a sorted array are between the durations of a filter. */
const between = (durations: string) => `
  GREATEST(0, width_bucket(COALESCE($durationMax, ${MAX_INTEGER}), ${durations})
    - width_bucket(COALESCE($durationMin, 0) - 1, ${durations}))`;

/** SQL: the same as {@link SEGMENT_SUMS} with counts alone, for durations. */
export const COUNTS_OF_DURATIONS = `${TIMES}, sums AS NOT MATERIALIZED (
    SELECT starts_at, ${ifAsked(STATUS.disconnected, between('connected'))} AS connected,
           ${ifAsked(STATUS.failed, between('failed'))} AS failed
    FROM call_segment_durations JOIN whole ON starts_at >= whole_from AND starts_at < whole_to
    WHERE workspace_id = $workspaceId
    UNION ALL
    SELECT ${getSegment('correction.starts_at')}, ${ifAsked(STATUS.disconnected, 'connected')},
           ${ifAsked(STATUS.failed, 'failed')}
    FROM call_duration_corrections AS correction
    JOIN whole ON correction.starts_at >= whole_from AND correction.starts_at < whole_to
    WHERE workspace_id = $workspaceId
      AND duration_sec BETWEEN COALESCE($durationMin, 0) AND COALESCE($durationMax, ${MAX_INTEGER})
  )`;
