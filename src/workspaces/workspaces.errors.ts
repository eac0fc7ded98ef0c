import { ApiError } from '../http/errors';
import { type Counted, isMaximum } from './quotas';

export const workspaceNotFound = (id: string) =>
  new ApiError('WORKSPACE_NOT_FOUND', 'Workspace not found', { details: `There is no workspace ${id}.` });

export const creditsOutOfRange = () =>
  new ApiError('CREDITS_OUT_OF_RANGE', 'Credits out of range', {
    details: 'Credits are whole numbers from 0 to 1,000,000,000, the balance included.',
  });

export const workspaceSuspended = () =>
  new ApiError('WORKSPACE_SUSPENDED', 'The workspace is suspended', {
    details:
      'The operator suspended it. Its credentials and calls are refused until the operator resumes it.',
  });

/** What a quota counts, and how to free some of it. */
const COUNTED: Record<Counted, { title: string; remedy: string }> = {
  agents: { title: 'agents', remedy: 'Delete an agent' },
  knowledge_base_bytes: { title: 'bytes in knowledge bases', remedy: 'Delete a knowledge base' },
  api_keys: { title: 'API keys', remedy: 'Revoke an API key' },
  phone_numbers: { title: 'phone numbers', remedy: 'Release a phone number' },
  recipients: { title: 'recipients to call', remedy: 'Wait until the campaigns have called theirs' },
  knowledge_bases: { title: 'knowledge bases', remedy: 'Delete a knowledge base' },
  prompt_templates: { title: 'prompt templates', remedy: 'Delete a prompt template' },
  webhook_test_events: { title: 'webhook test events in 24 hours', remedy: 'Try again later' },
};

const upperCase = <Text extends string>(text: Text) => text.toUpperCase() as Uppercase<Text>;

const errorCodeOf = (counted: Counted) =>
  isMaximum(counted)
    ? (`${upperCase(counted)}_LIMIT_REACHED` as const)
    : (`${upperCase(counted)}_QUOTA_REACHED` as const);

export function quotaReached(counted: Counted, { limit, used }: { limit: number; used: number }, wanted = 1) {
  const { title, remedy } = COUNTED[counted];
  return new ApiError(errorCodeOf(counted), `The limit of ${title} is reached`, {
    details:
      `The workspace has ${used} of at most ${limit} ${title}; this request adds ${wanted}. ` +
      `${remedy}${isMaximum(counted) ? '' : ', or ask the operator for a higher quota'}.`,
  });
}
