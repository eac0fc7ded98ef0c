import { statement } from '../../../platform/database/statement';
import {
  addToRollups,
  DAY,
  DAY_MINUTES,
  KEY,
  QUARTER,
  selectRollups,
  getStart,
  SUMS,
  SUMS_OF_CALLS,
} from './call-rollups.sql';
import type { CallType } from '../model/call-states';

/** The counts of a bucket, as text: they may be larger than a number. */
export type Sums = Record<(typeof SUMS)[number], string>;

/** A bucket whose stored sums differ from those of its calls. */
export interface RollupDifference {
  subjectId: string;
  bucketMinutes: number;
  startsAt: Date;
  callType: CallType;
  stored: Sums;
  counted: Sums;
}

export interface DayOfWorkspace {
  workspaceId: string;
  /** The start of a UTC day. */
  day: Date;
}

const SUBJECTS = `
  SELECT id FROM agents WHERE workspace_id = $workspaceId UNION ALL SELECT $workspaceId`;

export const FIND_ALL_WORKSPACES = statement<object, { workspaceId: string }>(
  'find-workspaces-with-roll-up-states',
  'SELECT workspace_id AS "workspaceId" FROM call_rollup_states ORDER BY workspace_id',
);

/** The first and the last UTC day that have calls or rollups. */
export const FIND_DAYS = statement<{ workspaceId: string }, { first: Date | null; last: Date | null }>(
  'find-days-of-call-rollups',
  `
    SELECT ${getStart(DAY, 'min(first)')} AS first, ${getStart(DAY, 'max(last)')} AS last
    FROM (
      SELECT min(created_at) AS first, max(created_at) AS last FROM conversations WHERE workspace_id = $workspaceId
      UNION ALL
      SELECT min(starts_at), max(starts_at) FROM call_rollups
      WHERE subject_id IN (${SUBJECTS}) AND bucket_minutes = ${DAY_MINUTES}
    ) AS times`,
);

/** SQL: whether a time is of the day `$day`. */
export const isOfDay = (time: string) => `${time} >= $day AND ${time} < $day::timestamptz + ${DAY}`;

const listSums = (table: string) => SUMS.map((column) => `COALESCE(${table}.${column}, 0)`).join(', ');

/** The rollups of a day as they should be and as they are, from one snapshot. */
const COMPARISON = `
  state AS MATERIALIZED (
    SELECT workspace_id, rolled_up_until, revision FROM call_rollup_states WHERE workspace_id = $workspaceId
  ), calls AS MATERIALIZED (
    SELECT workspace_id, agent_id, call_type, ${getStart(QUARTER, 'created_at')} AS starts_at, ${SUMS_OF_CALLS}
    FROM state JOIN conversations USING (workspace_id)
    WHERE ${isOfDay('created_at')} AND created_at < rolled_up_until
    GROUP BY 1, 2, 3, 4
  ), counted AS MATERIALIZED (${selectRollups('calls')}), stored AS MATERIALIZED (
    SELECT * FROM call_rollups
    WHERE workspace_id = $workspaceId AND subject_id IN (${SUBJECTS}) AND ${isOfDay('starts_at')}
  ), differences AS MATERIALIZED (
    SELECT ${KEY}, ${SUMS.flatMap((column) => [
      `COALESCE(counted.${column}, 0) AS counted_${column}`,
      `COALESCE(stored.${column}, 0) AS stored_${column}`,
    ]).join(', ')}
    FROM counted FULL JOIN stored USING (${KEY})
    WHERE (${listSums('counted')}) <> (${listSums('stored')})
  )`;

const asObject = (prefix: string) =>
  `jsonb_build_object(${SUMS.map((column) => `'${column}', ${prefix}_${column}::text`).join(', ')}) AS ${prefix}`;

export const CHECK_DAY = statement<DayOfWorkspace, RollupDifference>(
  'check-call-rollups-of-day',
  `
    WITH ${COMPARISON}
    SELECT subject_id AS "subjectId", bucket_minutes AS "bucketMinutes", starts_at AS "startsAt",
           call_type AS "callType", ${asObject('stored')}, ${asObject('counted')}
    FROM differences ORDER BY ${KEY}`,
);

/** Adds the differences, unless the rollups were changed since the snapshot: then it has to run again. */
export const REBUILD_DAY = statement<DayOfWorkspace, { differences: number; isDone: boolean }>(
  'rebuild-call-rollups-of-day',
  `
    WITH ${COMPARISON}, counts AS MATERIALIZED (
      SELECT count(*)::int AS differences FROM differences
    ), locked AS (
      UPDATE call_rollup_states SET revision = call_rollup_states.revision + 1
      FROM state, counts
      WHERE call_rollup_states.workspace_id = state.workspace_id
        AND call_rollup_states.revision = state.revision AND differences > 0
      RETURNING call_rollup_states.workspace_id
    ), corrected AS (${addToRollups(`
      SELECT workspace_id, ${KEY}, ${SUMS.map((column) => `counted_${column} - stored_${column}`).join(', ')}
      FROM differences, locked`)}
    )
    SELECT differences, differences = 0 OR EXISTS (SELECT FROM locked) AS "isDone" FROM counts`,
);
