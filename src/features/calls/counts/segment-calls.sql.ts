import { statement } from '../../../platform/database/statement';
import { limitStatementTime } from '../../../platform/database/statement-timeouts';
import { addToSegments, SUMS_OF_SEGMENT } from './call-dimensions.sql';
import { QUARTER_MINUTES } from './call-rollups.sql';
import type { QuarterOfCalls } from './call-segments';
import { countDurations } from './segment-durations.sql';

/** The number of calls that a step reads, so that it takes about a second. */
export const SEGMENT_STEP_CALLS = 10_000;

/** The number of quarters that a step reads. It needs more only if each of them has a single call. */
const MAX_QUARTERS = 2_000;

/** The quarters of an hour with calls that are rolled up, but not in a segment; oldest first. */
export const FIND_UNSEGMENTED = statement<
  { workspaceId: string },
  QuarterOfCalls & { segmentedUntil: string }
>(
  'find-unsegmented-quarters',
  `
    SELECT starts_at AS "startsAt", sum(connected + failed)::int AS calls, segmented_until::text AS "segmentedUntil"
    FROM call_rollup_states AS state
    JOIN call_rollups ON subject_id = state.workspace_id AND bucket_minutes = ${QUARTER_MINUTES}
      AND starts_at >= segmented_until AND starts_at < rolled_up_until
    WHERE state.workspace_id = $workspaceId
    GROUP BY starts_at, segmented_until
    ORDER BY starts_at LIMIT ${MAX_QUARTERS}`,
);

interface NewSegments {
  workspaceId: string;
  /** The value that was read with the quarters; the rollups may have been changed since. */
  segmentedUntil: string;
  starts: Date[];
  ends: Date[];
}

export const EXTEND_TIME_LIMIT = statement(
  'extend-time-limit-of-segments',
  limitStatementTime('addSegments'),
);

/**
 * Adds segments, as a step of the roll-up adds rollups: it counts without a lock, and changes nothing if the
 * rollups were changed meanwhile.
 */
export const ADD_SEGMENTS = statement<NewSegments, { hasMoved: boolean }>(
  'add-call-segments',
  `
    WITH state AS MATERIALIZED (
      SELECT workspace_id, revision FROM call_rollup_states
      WHERE workspace_id = $workspaceId AND segmented_until = $segmentedUntil::timestamptz
        AND pg_try_advisory_xact_lock(hashtextextended('call rollups of ' || workspace_id, 0))
    ), segment AS MATERIALIZED (
      SELECT * FROM state, unnest($starts::timestamptz[], $ends::timestamptz[]) AS segment (starts_at, ends_at)
    ), ended AS MATERIALIZED (
      SELECT segment.workspace_id, segment.starts_at, sums.* FROM segment CROSS JOIN LATERAL ${SUMS_OF_SEGMENT} AS sums
    ), moved AS (
      UPDATE call_rollup_states
      SET segmented_until = (SELECT max(ends_at) FROM segment), revision = call_rollup_states.revision + 1
      FROM state
      WHERE call_rollup_states.workspace_id = state.workspace_id
        AND call_rollup_states.revision = state.revision
      RETURNING call_rollup_states.workspace_id
    ), added AS (
      INSERT INTO call_segments (workspace_id, starts_at, ends_at)
      SELECT workspace_id, starts_at, ends_at FROM segment JOIN moved USING (workspace_id)
      RETURNING *
    ), durations AS (${countDurations('added')}
    ), counted AS (
      SELECT ended.* FROM ended JOIN moved USING (workspace_id)
    ), ${addToSegments('counted')}
    SELECT EXISTS (SELECT FROM moved) AS "hasMoved"`,
);
