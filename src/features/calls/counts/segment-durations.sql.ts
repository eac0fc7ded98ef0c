import { IS_OF_SEGMENT } from './call-dimensions.sql';
import { QUARTER, getStart } from './call-rollups.sql';
import { inStatus, STATUS } from '../model/call-states';

const sorted = (status: string) => `
  COALESCE(array_agg(duration_sec ORDER BY duration_sec) FILTER (WHERE ${status}), '{}')`;

/** SQL: a lateral table of one row, the durations of the calls of a row `segment`. */
const DURATIONS_OF_SEGMENT = `(
  SELECT ${sorted(inStatus(STATUS.disconnected))} AS connected, ${sorted(inStatus(STATUS.failed))} AS failed
  FROM conversations AS call WHERE ${IS_OF_SEGMENT})`;

/**
 * SQL: a statement that counts the durations of segments, again if they were counted before.
 * @param segments SQL: a table with the columns of `call_segments`. The row of the state must be locked, or nothing is
 *   read from a snapshot that is older than the state's revision
 */
export const countDurations = (segments: string) => `
  INSERT INTO call_segment_durations (workspace_id, starts_at, connected, failed)
  SELECT segment.workspace_id, segment.starts_at, durations.connected, durations.failed
  FROM ${segments} AS segment CROSS JOIN LATERAL ${DURATIONS_OF_SEGMENT} AS durations
  ON CONFLICT (workspace_id, starts_at) DO UPDATE SET connected = EXCLUDED.connected, failed = EXCLUDED.failed`;

/** SQL: a statement that deletes the corrections of segments whose durations are counted again. */
export const deleteDurationCorrections = (segments: string) => `
  DELETE FROM call_duration_corrections AS correction
  USING ${segments} AS segment
  WHERE correction.workspace_id = segment.workspace_id
    AND correction.starts_at >= segment.starts_at AND correction.starts_at < segment.ends_at`;

/**
 * SQL: a statement that corrects the durations of segments. The row of the state must be locked.
 * @param versions SQL: a table with the columns workspace_id, created_at, counted_status, counted_seconds, and `times`,
 *   which is -1 for what a call was before and 1 for what it is now
 */
export const correctDurations = (versions: string) => `
  INSERT INTO call_duration_corrections AS correction (workspace_id, starts_at, duration_sec, connected, failed)
  SELECT workspace_id, ${getStart(QUARTER, 'created_at')}, counted_seconds,
         COALESCE(sum(times) FILTER (WHERE counted_status = '${STATUS.disconnected}'), 0),
         COALESCE(sum(times) FILTER (WHERE counted_status = '${STATUS.failed}'), 0)
  FROM ${versions} GROUP BY 1, 2, 3
  ON CONFLICT (workspace_id, starts_at, duration_sec) DO UPDATE
  SET connected = correction.connected + EXCLUDED.connected, failed = correction.failed + EXCLUDED.failed`;
