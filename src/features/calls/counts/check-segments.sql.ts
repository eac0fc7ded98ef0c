import { statement } from '../../../platform/database/statement';
import type { Dimension } from './call-dimensions';
import { addToSegments, SUMS_OF_SEGMENT } from './call-dimensions.sql';
import { DAY, SUMS } from './call-rollups.sql';
import type { DayOfWorkspace, Sums } from './check-rollups.sql';

/** A value in a segment whose stored sums differ from those of its calls. */
export interface SegmentDifference {
  dimension: Dimension;
  value: string;
  startsAt: Date;
  stored: Sums;
  counted: Sums;
}

const KEY = 'dimension, value, starts_at';

/** The sums of the segments that start on a day as they should be and as they are, from one snapshot. */
const COMPARISON = `
  state AS MATERIALIZED (
    SELECT workspace_id, revision FROM call_rollup_states WHERE workspace_id = $workspaceId
  ), segment AS MATERIALIZED (
    SELECT call_segments.* FROM state JOIN call_segments USING (workspace_id)
    WHERE starts_at >= $day AND starts_at < $day::timestamptz + ${DAY}
  ), counted AS MATERIALIZED (
    SELECT segment.starts_at, sums.* FROM segment CROSS JOIN LATERAL ${SUMS_OF_SEGMENT} AS sums
  ), stored AS MATERIALIZED (
    SELECT dimension, value, segment.starts_at, ${SUMS.map((column) => `sum(rollup.${column}) AS ${column}`).join(', ')}
    FROM segment
    JOIN call_values ON call_values.workspace_id = segment.workspace_id
    JOIN (SELECT * FROM call_value_rollups UNION ALL SELECT * FROM call_value_corrections) AS rollup ON rollup.value_id = call_values.id
      AND rollup.starts_at >= segment.starts_at AND rollup.starts_at < segment.ends_at
    GROUP BY 1, 2, 3
  ), differences AS MATERIALIZED (
    SELECT ${KEY}, ${SUMS.flatMap((column) => [
      `COALESCE(counted.${column}, 0) AS counted_${column}`,
      `COALESCE(stored.${column}, 0) AS stored_${column}`,
    ]).join(', ')}
    FROM counted FULL JOIN stored USING (${KEY})
  ), wrong AS MATERIALIZED (
    SELECT * FROM differences
    WHERE (${SUMS.map((column) => `counted_${column}`).join(', ')}) <> (${SUMS.map((column) => `stored_${column}`).join(', ')})
  )`;

const asObject = (prefix: string) =>
  `jsonb_build_object(${SUMS.map((column) => `'${column}', ${prefix}_${column}::text`).join(', ')}) AS ${prefix}`;

export const CHECK_SEGMENTS = statement<DayOfWorkspace, SegmentDifference>(
  'check-call-segments-of-day',
  `
    WITH ${COMPARISON}
    SELECT dimension, value, starts_at AS "startsAt", ${asObject('stored')}, ${asObject('counted')}
    FROM wrong ORDER BY ${KEY}`,
);

/** Adds the differences, unless the rollups were changed since the snapshot: then it has to run again. */
export const REBUILD_SEGMENTS = statement<DayOfWorkspace, { differences: number; isDone: boolean }>(
  'rebuild-call-segments-of-day',
  `
    WITH ${COMPARISON}, counts AS MATERIALIZED (
      SELECT count(*)::int AS differences FROM wrong
    ), locked AS (
      UPDATE call_rollup_states SET revision = call_rollup_states.revision + 1
      FROM state, counts
      WHERE call_rollup_states.workspace_id = state.workspace_id
        AND call_rollup_states.revision = state.revision AND differences > 0
      RETURNING call_rollup_states.workspace_id
    ), correction AS (
      SELECT workspace_id, ${KEY}, ${SUMS.map((column) => `counted_${column} - stored_${column} AS ${column}`).join(', ')}
      FROM wrong, locked
    ), ${addToSegments('correction')}
    SELECT differences, differences = 0 OR EXISTS (SELECT FROM locked) AS "isDone" FROM counts`,
);
