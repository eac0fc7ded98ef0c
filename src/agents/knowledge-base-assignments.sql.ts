import { statement } from '../database/statement';

interface Assignment {
  knowledgeBaseId: string;
  agentIds: string[];
}

/** Returns the agents that did not have it. */
export const ASSIGN_KNOWLEDGE_BASE = statement<Assignment, { agentId: string }>(
  'assign-knowledge-base',
  `INSERT INTO knowledge_base_assignments (agent_id, knowledge_base_id, position)
   SELECT agent_id, $knowledgeBaseId, (SELECT COALESCE(max(position) + 1, 0) FROM knowledge_base_assignments existing
                                       WHERE existing.agent_id = agents.agent_id)
   FROM unnest($agentIds::uuid[]) AS agents (agent_id)
   ON CONFLICT DO NOTHING RETURNING agent_id AS "agentId"`,
);

/** Returns the agents that had it. */
export const UNASSIGN_KNOWLEDGE_BASE = statement<Assignment, { agentId: string }>(
  'unassign-knowledge-base',
  `DELETE FROM knowledge_base_assignments WHERE knowledge_base_id = $knowledgeBaseId AND agent_id = ANY ($agentIds)
   RETURNING agent_id AS "agentId"`,
);
