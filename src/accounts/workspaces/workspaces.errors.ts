import type { ErrorCode } from '../../platform/http/error-codes';
import { ApiError } from '../../platform/http/errors';
import { type QuotaResource, isMaximum } from './quotas';

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

/** The title of what a quota counts, and how to free some of it. */
const RESOURCES: Record<QuotaResource, { title: string; remedy: string; error_code: ErrorCode }> = {
  agents: { title: 'agents', remedy: 'Delete an agent', error_code: 'AGENTS_QUOTA_REACHED' },
  knowledge_base_bytes: {
    title: 'bytes in knowledge bases',
    remedy: 'Delete a knowledge base or a source',
    error_code: 'KNOWLEDGE_BASE_BYTES_QUOTA_REACHED',
  },
  recording_bytes: {
    title: 'bytes of recordings',
    remedy: 'Keep recordings for less time',
    error_code: 'RECORDING_BYTES_QUOTA_REACHED',
  },
  api_keys: { title: 'API keys', remedy: 'Revoke an API key', error_code: 'API_KEYS_QUOTA_REACHED' },
  phone_numbers: {
    title: 'phone numbers',
    remedy: 'Release a phone number',
    error_code: 'PHONE_NUMBERS_QUOTA_REACHED',
  },
  recipients: {
    title: 'recipients to call',
    remedy: 'Wait until the campaigns have called theirs',
    error_code: 'RECIPIENTS_QUOTA_REACHED',
  },
  knowledge_bases: {
    title: 'knowledge bases',
    remedy: 'Delete a knowledge base',
    error_code: 'KNOWLEDGE_BASES_LIMIT_REACHED',
  },
  prompt_templates: {
    title: 'prompt templates',
    remedy: 'Delete a prompt template',
    error_code: 'PROMPT_TEMPLATES_LIMIT_REACHED',
  },
  tools: { title: 'tools', remedy: 'Delete a tool', error_code: 'TOOLS_LIMIT_REACHED' },
  sessions: { title: 'sessions', remedy: 'End a session', error_code: 'SESSIONS_LIMIT_REACHED' },
  people: { title: 'people', remedy: 'Remove a person', error_code: 'PEOPLE_LIMIT_REACHED' },
  do_not_call_entries: {
    title: 'numbers on the do-not-call list',
    remedy: 'Take numbers off the list',
    error_code: 'DO_NOT_CALL_ENTRIES_LIMIT_REACHED',
  },
  notes: { title: 'notes', remedy: 'Empty a note', error_code: 'NOTES_LIMIT_REACHED' },
  saved_views: {
    title: 'saved views',
    remedy: 'Delete a saved view',
    error_code: 'SAVED_VIEWS_LIMIT_REACHED',
  },
  trials: {
    title: 'trials in 24 hours',
    remedy: 'Try again later',
    error_code: 'TRIALS_LIMIT_REACHED',
  },
  open_erasures: {
    title: 'open erasures',
    remedy: 'Wait until some are completed',
    error_code: 'OPEN_ERASURES_LIMIT_REACHED',
  },
  webhook_endpoints: {
    title: 'webhook endpoints',
    remedy: 'Delete a webhook endpoint',
    error_code: 'WEBHOOK_ENDPOINTS_LIMIT_REACHED',
  },
  webhook_test_events: {
    title: 'webhook test events in 24 hours',
    remedy: 'Try again later',
    error_code: 'WEBHOOK_TEST_EVENTS_LIMIT_REACHED',
  },
};

export function quotaReached(
  resource: QuotaResource,
  { limit, used }: { limit: number; used: number },
  wanted = 1,
) {
  const { title, remedy, error_code } = RESOURCES[resource];
  return new ApiError(error_code, `The limit of ${title} is reached`, {
    details:
      `The workspace has ${used} of at most ${limit} ${title}; this request adds ${wanted}. ` +
      `${remedy}${isMaximum(resource) ? '' : ', or ask the operator for a higher quota'}.`,
  });
}
