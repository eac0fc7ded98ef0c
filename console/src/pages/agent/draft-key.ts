/** Where this tab keeps the unsaved changes of an agent. */
export const draftKey = (agentId: string) => `parley.draft.agent.${agentId}`;
