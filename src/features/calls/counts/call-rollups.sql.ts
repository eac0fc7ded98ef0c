import { inStatus, STATUS } from '../model/call-states';

/** The length of a bucket. All time zones differ from UTC by a multiple of it. */
export const QUARTER = `interval '15 minutes'`;
export const QUARTER_MINUTES = 15;
export const DAY = `interval '1 day'`;
export const DAY_MINUTES = 1_440;

/** SQL: the start of the bucket that contains a time. */
export const getStart = (bucket: string, time: string) =>
  `date_bin(${bucket}, ${time}, timestamptz '2000-01-01 00:00Z')`;

/** SQL: the start of the first bucket that begins at a time or later. */
export const getNextStart = (bucket: string, time: string) =>
  getStart(bucket, `${time} + ${bucket} - interval '1 microsecond'`);

/** The columns of `call_rollups` that are sums. */
export const SUMS = ['connected', 'failed', 'seconds', 'credits'] as const;

/** SQL: the sums over ended calls, from the columns of `conversations`. */
export const SUMS_OF_CALLS = `
  count(*) FILTER (WHERE ${inStatus(STATUS.disconnected)}) AS connected,
  count(*) FILTER (WHERE ${inStatus(STATUS.failed)}) AS failed,
  COALESCE(sum(duration_sec) FILTER (WHERE ${inStatus(STATUS.disconnected)}), 0) AS seconds,
  COALESCE(sum(charge), 0) AS credits`;

export const KEY = 'subject_id, bucket_minutes, starts_at, call_type';

/**
 * SQL: the rows of `call_rollups` for sums by workspace, agent, call type and time.
 * @param source SQL: a table with the columns workspace_id, agent_id, call_type, starts_at and those of {@link SUMS}
 */
export const selectRollups = (source: string) => `
  SELECT source.workspace_id, subject_id, bucket_minutes, ${getStart('bucket', 'source.starts_at')} AS starts_at,
         source.call_type, ${SUMS.map((column) => `sum(source.${column}) AS ${column}`).join(', ')}
  FROM ${source} AS source
  CROSS JOIN LATERAL (VALUES (source.agent_id), (source.workspace_id)) AS subject (subject_id)
  CROSS JOIN (VALUES (${QUARTER_MINUTES}, ${QUARTER}), (${DAY_MINUTES}, ${DAY})) AS length (bucket_minutes, bucket)
  GROUP BY 1, 2, 3, 4, 5`;

/** SQL: a statement that adds rows of {@link selectRollups} to the rollups. The row of the state must be locked. */
export const addToRollups = (rows: string) => `
  INSERT INTO call_rollups (workspace_id, ${KEY}, ${SUMS.join(', ')})
  ${rows}
  ON CONFLICT (${KEY}) DO UPDATE
  SET ${SUMS.map((column) => `${column} = call_rollups.${column} + EXCLUDED.${column}`).join(', ')}`;
