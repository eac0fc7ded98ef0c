import type { TestParley, TestWorkspace } from './parley';

/**
 * Adds ended calls as the server would have stored them, all in one transaction: copies of a call that was made through
 * the API.
 * @param calls SQL: a query with the columns id, agent_id, created_at, call_type, status and duration_sec
 */
export async function addPastCalls(
  { sql }: Pick<TestParley, 'sql'>,
  { workspaceId }: Pick<TestWorkspace, 'workspaceId'>,
  calls: string,
  values: unknown[] = [],
): Promise<void> {
  await sql(
    `INSERT INTO conversations
     SELECT copy.*
     FROM (SELECT conversations FROM conversations WHERE workspace_id = $1 ORDER BY id LIMIT 1) AS template (call)
     CROSS JOIN (${calls}) AS past
     CROSS JOIN LATERAL jsonb_populate_record(call, to_jsonb(past) || jsonb_build_object(
       'ended_at', past.created_at, 'charge', ceil(duration_sec / 60.0), 'disconnect_reason', 'agent_hangup')) AS copy`,
    [workspaceId, ...values],
  );
}
