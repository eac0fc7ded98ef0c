import { isUUID } from 'class-validator';

/** A condition on a column with ids of knowledge bases, for `andWhere`. Agents write the tables that it reads. */
type Condition = [condition: string, parameters: object];

/** An agent has the knowledge base. */
export function assignedTo(column: string, agentId: string): Condition {
  const assignment = `SELECT 1 FROM knowledge_base_assignments WHERE knowledge_base_id = ${column} AND agent_id = :agentId`;
  return [`EXISTS (${assignment})`, { agentId }];
}

/** At least one of these agents of the workspace has the knowledge base. */
export function assignedToAny(column: string, workspaceId: string, agentIds: string[]): Condition {
  const assignment = `
    SELECT 1 FROM knowledge_base_assignments JOIN agents ON agents.id = agent_id
    WHERE knowledge_base_id = ${column} AND agent_id = ANY(:agentIds)
      AND agents.workspace_id = :workspaceId AND agents.deleted_at IS NULL`;
  return [`EXISTS (${assignment})`, { workspaceId, agentIds: agentIds.filter((id) => isUUID(id)) }];
}
