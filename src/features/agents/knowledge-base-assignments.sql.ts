import { statement } from '../../platform/database/statement';

interface Assignment {
  knowledgeBaseId: string;
  agentIds: string[];
}

/** Assigns a knowledge base, and returns the agents that did not have it. */
export const ASSIGN_KNOWLEDGE_BASE = statement<Assignment, { agentId: string }>(
  'assign-knowledge-base',
  `INSERT INTO knowledge_base_assignments (agent_id, knowledge_base_id, position)
   SELECT agent_id, $knowledgeBaseId, (SELECT COALESCE(max(position) + 1, 0) FROM knowledge_base_assignments existing
                                       WHERE existing.agent_id = agents.agent_id)
   FROM unnest($agentIds::uuid[]) AS agents (agent_id)
   ON CONFLICT DO NOTHING RETURNING agent_id AS "agentId"`,
);

/** Unassigns a knowledge base, and returns the agents that had it. */
export const UNASSIGN_KNOWLEDGE_BASE = statement<Assignment, { agentId: string }>(
  'unassign-knowledge-base',
  `DELETE FROM knowledge_base_assignments WHERE knowledge_base_id = $knowledgeBaseId AND agent_id = ANY ($agentIds)
   RETURNING agent_id AS "agentId"`,
);

/** SQL of TypeORM: whether the agent `:agent_id` has a knowledge base. @param knowledgeBase SQL: its row */
export const isAssigned = (knowledgeBase: string) => `EXISTS (
  SELECT 1 FROM knowledge_base_assignments WHERE knowledge_base_id = ${knowledgeBase}.id AND agent_id = :agent_id)`;

/** SQL of TypeORM: whether one of the agents `:agentIds` of the workspace `:workspaceId` has a knowledge base. */
export const isAssignedToAny = (knowledgeBase: string) => `EXISTS (
  SELECT 1 FROM knowledge_base_assignments JOIN agents ON agents.id = agent_id
  WHERE knowledge_base_id = ${knowledgeBase}.id AND agent_id = ANY(:agentIds)
    AND agents.workspace_id = :workspaceId AND agents.deleted_at IS NULL)`;
