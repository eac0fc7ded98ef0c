import { DRAFT_PREFIX } from '../ui/schema-form/use-stored-draft';

/** The key of the unsaved changes of an agent in the session storage. */
export const draftKey = (agentId: string) => `${DRAFT_PREFIX}agent.${agentId}`;
