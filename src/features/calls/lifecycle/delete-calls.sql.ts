import { statement } from '../../../platform/database/statement';
import { addToSegments, IS_OF_SEGMENT, getValues } from '../counts/call-dimensions.sql';
import { correctDurations, deleteDurationCorrections } from '../counts/segment-durations.sql';
import {
  addToRollups,
  DAY,
  QUARTER,
  selectRollups,
  getStart,
  SUMS,
  SUMS_OF_CALLS,
} from '../counts/call-rollups.sql';

/*
 * The statements of one transaction that deletes calls that have ended, and takes them out of the rollups and segments.
 * It holds the rows of the calls. The locks are taken in the order of decision 24: calls, campaigns, state, rollups.
 */

interface CallsOfWorkspace {
  workspaceId: string;
  ids: string[];
}

/**
 * Locks the state of the roll-up until the transaction ends. The next statement sees every earlier step of the
 * roll-up.
 */
export const LOCK_ROLL_UP_STATE = statement<{ workspaceId: string }>(
  'lock-roll-up-state',
  `
    INSERT INTO call_rollup_states (workspace_id) VALUES ($workspaceId)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = call_rollup_states.revision + 1`,
);

const negative = (source: string) => SUMS.map((column) => `-${source}.${column} AS ${column}`).join(', ');

export interface ChangedSum {
  valueId: string;
  startsAt: Date;
}

/** @returns the values of segments whose sums are smaller now */
export const DELETE_CALLS = statement<CallsOfWorkspace, ChangedSum>(
  'delete-calls',
  `
    WITH deleted AS (
      DELETE FROM conversations WHERE workspace_id = $workspaceId AND id = ANY ($ids)
      RETURNING workspace_id, agent_id, agent_version, campaign_id, direction, channel, call_type, worker_id, status,
                disconnect_reason, outcome, duration_sec, charge, created_at, incoming_claim_id, to_number, from_number
    ), state AS MATERIALIZED (
      SELECT * FROM call_rollup_states WHERE workspace_id = $workspaceId
    ), rolled_up AS (
      SELECT workspace_id, agent_id, call_type, ${getStart(QUARTER, 'created_at')} AS starts_at, ${SUMS_OF_CALLS}
      FROM deleted JOIN state USING (workspace_id) WHERE created_at < rolled_up_until GROUP BY 1, 2, 3, 4
    ), difference AS (
      SELECT workspace_id, agent_id, call_type, starts_at, ${negative('rolled_up')} FROM rolled_up
    ), rollups AS (
      ${addToRollups(selectRollups('difference'))}
    ), segmented AS (
      SELECT call.workspace_id, value_of.dimension, value_of.value, segment.starts_at, ${SUMS_OF_CALLS}
      FROM deleted AS call JOIN state USING (workspace_id)
      CROSS JOIN LATERAL (
        SELECT starts_at FROM call_segments
        WHERE workspace_id = call.workspace_id AND starts_at <= call.created_at ORDER BY starts_at DESC LIMIT 1
      ) AS segment
      CROSS JOIN LATERAL ${getValues('call')} AS value_of (dimension, value)
      WHERE created_at < segmented_until GROUP BY 1, 2, 3, 4
    ), segment_difference AS (
      SELECT workspace_id, dimension, value, starts_at, ${negative('segmented')} FROM segmented
    ), ${addToSegments('segment_difference')}, version AS (
      SELECT workspace_id, created_at, status AS counted_status, duration_sec AS counted_seconds, -1 AS times
      FROM deleted JOIN state USING (workspace_id) WHERE created_at < segmented_until
    ), durations AS (${correctDurations('version')}
    )
    SELECT value_id AS "valueId", starts_at AS "startsAt" FROM value_sums`,
);

const IS_ZERO = `(${SUMS.join(', ')}) = (${SUMS.map(() => '0').join(', ')})`;

/** A day of the rollups may begin this long before the first call of a segment. */
export const DELETE_EMPTY_ROLLUPS = statement<{ workspaceId: string; from: string; to: string }>(
  'delete-empty-call-rollups',
  `
    DELETE FROM call_rollups
    WHERE workspace_id = $workspaceId
      AND subject_id IN (SELECT id FROM agents WHERE workspace_id = $workspaceId UNION ALL SELECT $workspaceId)
      AND starts_at >= ${getStart(DAY, '$from::timestamptz')} AND starts_at <= $to::timestamptz AND ${IS_ZERO}`,
);

/** The values and the times are in the same order. */
type ChangedSums = { valueIds: string[]; times: Date[] };

export const DELETE_EMPTY_SUMS = statement<ChangedSums>(
  'delete-empty-value-sums',
  `
    DELETE FROM call_value_rollups AS rollup
    USING unnest($valueIds::uuid[], $times::timestamptz[]) AS changed (value_id, starts_at)
    WHERE rollup.value_id = changed.value_id AND rollup.starts_at = changed.starts_at AND ${IS_ZERO}`,
);

/**
 * Deletes segments that have no calls any more, with their sums and corrections: the sums of calls that a late report
 * has corrected are not zero by themselves. Arrays, because a join could read the sums of all workspaces.
 * @returns the values that they had
 */
export const DELETE_EMPTY_SEGMENTS = statement<{ workspaceId: string; times: Date[] }, { valueId: string }>(
  'delete-empty-call-segments',
  `
    WITH empty AS MATERIALIZED (
      SELECT segment.* FROM call_segments AS segment
      WHERE workspace_id = $workspaceId AND starts_at = ANY (ARRAY(SELECT DISTINCT unnest($times::timestamptz[])))
        AND NOT EXISTS (SELECT FROM conversations AS call WHERE ${IS_OF_SEGMENT})
    ), value AS MATERIALIZED (
      SELECT id FROM call_values WHERE workspace_id = $workspaceId AND EXISTS (SELECT FROM empty)
    ), sums AS (
      DELETE FROM call_value_rollups
      WHERE value_id = ANY (ARRAY(SELECT id FROM value)) AND starts_at = ANY (ARRAY(SELECT starts_at FROM empty))
      RETURNING value_id
    ), corrections AS (
      DELETE FROM call_value_corrections AS correction USING value CROSS JOIN empty
      WHERE correction.value_id = value.id
        AND correction.starts_at >= empty.starts_at AND correction.starts_at < empty.ends_at
      RETURNING correction.value_id
    ), duration_corrections AS (${deleteDurationCorrections('empty')}
    ), segments AS (
      DELETE FROM call_segments
      WHERE workspace_id = $workspaceId AND starts_at = ANY (ARRAY(SELECT starts_at FROM empty))
    )
    SELECT value_id AS "valueId" FROM sums UNION SELECT value_id FROM corrections`,
);

/** Deletes values, such as outcomes, that no call has any more. */
export const DELETE_UNUSED_VALUES = statement<{ workspaceId: string; valueIds: string[] }>(
  'delete-unused-call-values',
  `
    DELETE FROM call_values
    WHERE workspace_id = $workspaceId AND id = ANY ($valueIds)
      AND NOT EXISTS (SELECT FROM call_value_rollups WHERE value_id = call_values.id)
      AND NOT EXISTS (SELECT FROM call_value_corrections WHERE value_id = call_values.id)`,
);
