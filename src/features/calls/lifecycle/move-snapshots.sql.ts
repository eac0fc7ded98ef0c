import { statement } from '../../../platform/database/statement';
import { limitStatementTime } from '../../../platform/database/statement-timeouts';

const FOREIGN_KEY = 'conversations_agent_id_agent_version_workspace_id_fkey';

export const ARE_SNAPSHOTS_MOVED = statement<object, { areMoved: boolean }>(
  'are-snapshots-moved',
  `SELECT convalidated AS "areMoved" FROM pg_constraint
   WHERE conname = '${FOREIGN_KEY}' AND conrelid = 'conversations'::regclass`,
);

/** The number of calls that one statement reads. A snapshot has up to a megabyte. */
const BATCH = 200;

export interface MovedBatch {
  /** The last call of the batch; null: there are no more calls. */
  last: string | null;
  /** The number of calls that have not ended, and keep their snapshot for now. */
  left: number;
}

/** Moves the snapshots of the next calls to `agent_versions`, in the order of their ids. */
export const MOVE_SNAPSHOTS = statement<{ after: string }, MovedBatch>(
  'move-snapshots',
  `
    WITH batch AS MATERIALIZED (
      SELECT id, agent_snapshot IS NOT NULL AND ended_at IS NULL AS is_left
      FROM conversations WHERE id > $after ORDER BY id LIMIT ${BATCH}
      FOR NO KEY UPDATE
    ), versions AS (
      INSERT INTO agent_versions (agent_id, version, workspace_id, snapshot)
      SELECT DISTINCT ON (agent_id, agent_version) agent_id, agent_version, workspace_id, agent_snapshot
      FROM conversations JOIN batch USING (id) WHERE agent_snapshot IS NOT NULL
      ON CONFLICT DO NOTHING
    ), moved AS (
      UPDATE conversations SET agent_snapshot = NULL FROM batch
      WHERE conversations.id = batch.id AND NOT is_left AND agent_snapshot IS NOT NULL
    )
    SELECT (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last, (count(*) FILTER (WHERE is_left))::int AS left
    FROM batch`,
);

export const EXTEND_VALIDATION_TIMEOUT = statement(
  'extend-validation-timeout',
  limitStatementTime('validateVersions'),
);

/** Validates the constraint: it reads all calls, without a lock that a call would wait for. */
export const VALIDATE_VERSIONS = statement(
  'validate-agent-versions',
  `ALTER TABLE conversations VALIDATE CONSTRAINT ${FOREIGN_KEY}`,
);
