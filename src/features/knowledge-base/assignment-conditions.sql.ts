/** SQL of TypeORM on a row of `knowledge_bases`. The knowledge bases of agents are stored above this folder. */
export abstract class AssignmentConditions {
  /** Whether the agent `:agent_id` has it. */
  abstract readonly isAssigned: (knowledgeBase: string) => string;
  /** Whether one of the agents `:agentIds` of the workspace `:workspaceId` has it. */
  abstract readonly isAssignedToAny: (knowledgeBase: string) => string;
}
