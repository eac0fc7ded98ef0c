/** The reports about a call arrive in the seconds after its end. */
const DELAY = `interval '5 seconds'`;

/**
 * SQL: a statement that has the findings of calls computed when they have ended, and again if they were computed before. The
 * calls of an agent that asks for none have no row.
 * @param calls SQL: a table with the columns `id`, `agent_id` and `agent_version`
 */
export const queueFindings = (calls: string) => `
  INSERT INTO due_findings AS due (conversation_id, due_at)
  SELECT DISTINCT call.id, now() + ${DELAY}
  FROM ${calls} AS call
  JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
  WHERE version.analysis IS NOT NULL
  ORDER BY call.id
  ON CONFLICT (conversation_id) DO UPDATE SET due_at = excluded.due_at`;

/** SQL: the same for the calls of a table that has the column `id` alone. */
export const queueFindingsOf = (calls: string) =>
  queueFindings(
    `(SELECT id, agent_id, agent_version FROM conversations WHERE id IN (SELECT id FROM ${calls}))`,
  );
