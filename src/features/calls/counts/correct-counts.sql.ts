import { REASON, STATUS } from '../model/call-states';
import { correctSegments, getValues } from './call-dimensions.sql';
import { addToRollups, QUARTER, selectRollups, getStart } from './call-rollups.sql';
import { correctDurations } from './segment-durations.sql';

/**
 * SQL: CTEs that lock the states of the calls' workspaces by an upsert. Its newest row says whether the calls were
 * rolled up without the correction; see decision 24.
 */
const lockStates = (calls: string) => `rolled_up AS (
      INSERT INTO call_rollup_states (workspace_id) SELECT DISTINCT workspace_id FROM ${calls}
      ON CONFLICT (workspace_id) DO UPDATE SET revision = call_rollup_states.revision + 1
      RETURNING workspace_id, rolled_up_until, segmented_until
    )`;

const correctRollups = (calls: string) => `difference AS (
      SELECT workspace_id, agent_id, call_type, created_at AS starts_at,
             successes AS connected, -successes AS failed, seconds, owed AS credits
      FROM ${calls} JOIN rolled_up USING (workspace_id) WHERE created_at < rolled_up_until
    ), rollups AS (
      ${addToRollups(selectRollups('difference'))}
    )`;

/** SQL: each call twice: as it is now, counted 1 time, and as it was before, counted -1 times. */
const selectVersions = (calls: string) => `version AS (
      SELECT ${calls}.*, times,
             CASE times WHEN 1 THEN status ELSE old_status END AS counted_status,
             CASE times WHEN 1 THEN duration_sec ELSE old_duration END AS counted_seconds,
             CASE times WHEN 1 THEN charge ELSE old_charge END AS counted_charge
      FROM ${calls} JOIN rolled_up USING (workspace_id) CROSS JOIN (VALUES (1), (-1)) AS version (times)
      WHERE created_at < segmented_until
    )`;

const SEGMENT_DIFFERENCE = `segment_difference AS (
      SELECT workspace_id, value_of.dimension, value_of.value, ${getStart(QUARTER, 'created_at')} AS starts_at,
             times * (counted_status = '${STATUS.disconnected}')::int AS connected,
             times * (counted_status = '${STATUS.failed}')::int AS failed,
             CASE counted_status WHEN '${STATUS.disconnected}' THEN times * counted_seconds ELSE 0 END AS seconds,
             times * counted_charge AS credits
      FROM version CROSS JOIN LATERAL (
        SELECT agent_id, agent_version, campaign_id, direction, channel, call_type, worker_id, incoming_claim_id,
               to_number, from_number,
               counted_seconds AS duration_sec, CASE times WHEN 1 THEN disconnect_reason ELSE '${REASON.worker_lost}' END AS disconnect_reason,
               CASE times WHEN 1 THEN outcome ELSE old_outcome END AS outcome) AS call
      CROSS JOIN LATERAL ${getValues('call')} AS value_of (dimension, value)
    )`;

/** The columns of `conversations` by which calls are counted, without those that a correction changes. */
export const COUNTED_COLUMNS = `
  call_type, agent_version, campaign_id, direction, channel, worker_id, incoming_claim_id, to_number, from_number`;

/**
 * SQL: CTEs that correct the rollups, the segments and their durations by calls that had ended as `worker_lost`.
 * @param calls SQL: a table with {@link COUNTED_COLUMNS}, the columns that a correction changes, the same before it as
 *   `old_…`, and the differences `successes`, `seconds` and `owed`
 */
export const correctCounts = (calls: string) =>
  [
    lockStates(calls),
    correctRollups(calls),
    selectVersions(calls),
    SEGMENT_DIFFERENCE,
    correctSegments('segment_difference'),
    `durations AS (${correctDurations('version')})`,
  ].join(', ');
