/** SQL of TypeORM on a row of `knowledge_bases`. A folder above stores the knowledge bases of agents. */
export abstract class AssignmentConditions {
  /** Whether the agent `:agent_id` has the knowledge base. */
  abstract readonly isAssigned: (knowledgeBase: string) => string;
  /** Whether one of the agents `:agentIds` of the workspace `:workspaceId` has the knowledge base. */
  abstract readonly isAssignedToAny: (knowledgeBase: string) => string;
}
