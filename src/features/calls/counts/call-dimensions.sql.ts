import { COUNTED_OUTCOME_LENGTH, type Dimension, DIMENSIONS, DURATION_BANDS } from './call-dimensions';
import { lineNumber } from '../model/call-parties.sql';
import { SUMS, SUMS_OF_CALLS } from './call-rollups.sql';

/** SQL: the beginning of an outcome, which calls are counted by, because an outcome may be long. */
export const countedOutcome = (outcome: string) => `left(${outcome}, ${COUNTED_OUTCOME_LENGTH})`;

const VALUES: Record<Dimension, (call: string) => string> = {
  all: () => `''`,
  agent: (call) => `${call}.agent_id::text`,
  agent_version: (call) => `${call}.agent_id || '/' || ${call}.agent_version`,
  campaign: (call) => `COALESCE(${call}.campaign_id::text, '')`,
  direction: (call) => `${call}.direction`,
  channel: (call) => `${call}.channel`,
  call_type: (call) => `${call}.call_type`,
  disconnect_reason: (call) => `COALESCE(${call}.disconnect_reason, '')`,
  outcome: (call) => countedOutcome(`${call}.outcome`),
  worker: (call) => `COALESCE(${call}.worker_id, '')`,
  line: lineNumber,
  duration: (call) => `width_bucket(${call}.duration_sec, '{${DURATION_BANDS.join()}}'::int[])::text`,
};

/** SQL: the value of a call in a dimension, from the columns of `conversations`. */
export const getValue = (dimension: Dimension, call: string) => VALUES[dimension](call);

/** SQL: a table with the columns `dimension` and `value`, for a row with the columns of `conversations`. */
export const getValues = (call: string) =>
  `(VALUES ${DIMENSIONS.map((dimension) => `('${dimension}', ${getValue(dimension, call)})`).join(', ')})`;

/** SQL: whether a row `call` of `conversations` is in a row `segment`. */
export const IS_OF_SEGMENT = `
  call.workspace_id = segment.workspace_id
  AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at`;

/** SQL: the sums of the calls of a row named `segment` by value. Lateral, so that Postgres reads them by their time. */
export const SUMS_OF_SEGMENT = `(
  SELECT value_of.dimension, value_of.value, ${SUMS_OF_CALLS}
  FROM conversations AS call CROSS JOIN LATERAL ${getValues('call')} AS value_of (dimension, value)
  WHERE ${IS_OF_SEGMENT}
  GROUP BY 1, 2)`;

/** SQL: the id of a value. */
const idOfValue = (source: string) => `
  encode(substring(sha256(convert_to(
    ${source}.workspace_id::text || ${source}.dimension || ':' || ${source}.value, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid`;

/**
 * SQL: CTEs that add sums to those of values. The row of the state must be locked.
 * @param source SQL: a table with the columns workspace_id, dimension, value, starts_at and those of {@link SUMS}; its
 *   rows may be the same but for their sums
 */
const addTo = (table: 'call_value_rollups' | 'call_value_corrections') => (source: string) => `
  value_sums AS MATERIALIZED (
    SELECT workspace_id, dimension, value, ${idOfValue('source')} AS value_id, starts_at,
           ${SUMS.map((column) => `sum(${column}) AS ${column}`).join(', ')}
    FROM ${source} AS source
    GROUP BY workspace_id, dimension, value, starts_at
    HAVING (${SUMS.map((column) => `sum(${column})`).join(', ')}) <> (${SUMS.map(() => '0').join(', ')})
  ), known_values AS (
    INSERT INTO call_values (id, workspace_id, dimension, value)
    SELECT DISTINCT value_id, workspace_id, dimension, value FROM value_sums
    ON CONFLICT (id) DO NOTHING
  ), added_sums AS (
    INSERT INTO ${table} (value_id, starts_at, ${SUMS.join(', ')})
    SELECT value_id, starts_at, ${SUMS.join(', ')} FROM value_sums
    ON CONFLICT (value_id, starts_at) DO UPDATE
    SET ${SUMS.map((column) => `${column} = ${table}.${column} + EXCLUDED.${column}`).join(', ')}
  )`;

/** The rows of the source start with their segments. */
export const addToSegments = addTo('call_value_rollups');

/** The rows of the source start anywhere in a segment. */
export const correctSegments = addTo('call_value_corrections');
