import { statement } from '../../../platform/database/statement';
import { IS_OF_SEGMENT } from './call-dimensions.sql';
import { DAY } from './call-rollups.sql';
import { inStatus, STATUS } from '../model/call-states';
import type { DayOfWorkspace } from './check-rollups.sql';
import { countDurations, deleteDurationCorrections } from './segment-durations.sql';

interface Counts {
  connected: number;
  failed: number;
}

/** A duration with another number of calls in a segment than is stored. */
export interface DurationDifference {
  durationSec: number;
  startsAt: Date;
  stored: Counts;
  counted: Counts;
}

const KEY = 'starts_at, duration_sec';

/** The durations of the segments that start on a day as they should be and as they are, from one snapshot. */
const COMPARISON = `
  state AS MATERIALIZED (
    SELECT workspace_id, revision FROM call_rollup_states WHERE workspace_id = $workspaceId
  ), segment AS MATERIALIZED (
    SELECT call_segments.* FROM state JOIN call_segments USING (workspace_id)
    WHERE starts_at >= $day AND starts_at < $day::timestamptz + ${DAY}
  ), counted AS MATERIALIZED (
    SELECT segment.starts_at, duration_sec, count(*) FILTER (WHERE ${inStatus(STATUS.disconnected)}) AS connected,
           count(*) FILTER (WHERE ${inStatus(STATUS.failed)}) AS failed
    FROM segment JOIN conversations AS call ON ${IS_OF_SEGMENT} GROUP BY 1, 2
  ), durations AS (
    SELECT call_segment_durations.* FROM segment JOIN call_segment_durations USING (workspace_id, starts_at)
  ), stored AS MATERIALIZED (
    SELECT starts_at, duration_sec, sum(connected) AS connected, sum(failed) AS failed
    FROM (
      SELECT starts_at, unnest(connected) AS duration_sec, 1 AS connected, 0 AS failed FROM durations
      UNION ALL
      SELECT starts_at, unnest(failed), 0, 1 FROM durations
      UNION ALL
      SELECT segment.starts_at, correction.duration_sec, correction.connected, correction.failed
      FROM segment JOIN call_duration_corrections AS correction ON correction.workspace_id = segment.workspace_id
        AND correction.starts_at >= segment.starts_at AND correction.starts_at < segment.ends_at
    ) AS calls
    GROUP BY 1, 2
  ), wrong AS MATERIALIZED (
    SELECT ${KEY}, ${['counted', 'stored']
      .flatMap((side) =>
        ['connected', 'failed'].map((sum) => `COALESCE(${side}.${sum}, 0) AS ${side}_${sum}`),
      )
      .join(', ')}
    FROM counted FULL JOIN stored USING (${KEY})
    WHERE (COALESCE(counted.connected, 0), COALESCE(counted.failed, 0))
       <> (COALESCE(stored.connected, 0), COALESCE(stored.failed, 0))
  )`;

const asObject = (side: string) =>
  `jsonb_build_object('connected', ${side}_connected, 'failed', ${side}_failed) AS ${side}`;

export const CHECK_DURATIONS = statement<DayOfWorkspace, DurationDifference>(
  'check-durations-of-day',
  `
    WITH ${COMPARISON}
    SELECT duration_sec AS "durationSec", starts_at AS "startsAt", ${asObject('stored')}, ${asObject('counted')}
    FROM wrong ORDER BY ${KEY}`,
);

/** Counts wrong segments again, unless the rollups were changed since the snapshot: then it has to run again. */
export const REBUILD_DURATIONS = statement<DayOfWorkspace, { differences: number; isDone: boolean }>(
  'rebuild-durations-of-day',
  `
    WITH ${COMPARISON}, counts AS MATERIALIZED (
      SELECT count(*)::int AS differences FROM wrong
    ), locked AS (
      UPDATE call_rollup_states SET revision = call_rollup_states.revision + 1
      FROM state, counts
      WHERE call_rollup_states.workspace_id = state.workspace_id
        AND call_rollup_states.revision = state.revision AND differences > 0
      RETURNING call_rollup_states.workspace_id
    ), wrong_segment AS MATERIALIZED (
      SELECT segment.* FROM segment JOIN locked USING (workspace_id)
      WHERE starts_at IN (SELECT starts_at FROM wrong)
    ), corrections AS (${deleteDurationCorrections('wrong_segment')}
    ), recounted AS (${countDurations('wrong_segment')}
    )
    SELECT differences, differences = 0 OR EXISTS (SELECT FROM locked) AS "isDone" FROM counts`,
);
