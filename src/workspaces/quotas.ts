import type { Config } from '../config';

const MEGABYTE = 1024 * 1024;

interface Quota {
  /** Of the table `workspaces`; null there: the default. */
  column: string;
  /** null: unlimited. */
  default: (config: Config) => number | null;
  /** Of the refusal. */
  errorCode: string;
}

/** The closed list of what the operator may limit for a workspace. Columns are integers unless said otherwise. */
export const QUOTAS = {
  agents: {
    column: 'quotas_agents',
    default: ({ AGENTS_QUOTA }) => AGENTS_QUOTA,
    errorCode: 'AGENTS_QUOTA_REACHED',
  },
  /** A bigint. */
  knowledge_base_bytes: {
    column: 'quotas_knowledge_base_bytes',
    default: ({ KNOWLEDGE_BASE_MB_QUOTA }) => KNOWLEDGE_BASE_MB_QUOTA * MEGABYTE,
    errorCode: 'KNOWLEDGE_BASE_BYTES_QUOTA_REACHED',
  },
  api_keys: {
    column: 'quotas_api_keys',
    default: ({ API_KEYS_QUOTA }) => API_KEYS_QUOTA,
    errorCode: 'API_KEYS_QUOTA_REACHED',
  },
  phone_numbers: {
    column: 'quotas_phone_numbers',
    default: ({ PHONE_NUMBERS_QUOTA }) => PHONE_NUMBERS_QUOTA,
    errorCode: 'PHONE_NUMBERS_QUOTA_REACHED',
  },
  recipients: {
    column: 'quotas_recipients',
    default: ({ RECIPIENTS_QUOTA }) => RECIPIENTS_QUOTA,
    errorCode: 'RECIPIENTS_QUOTA_REACHED',
  },
  concurrent_calls: {
    column: 'quotas_concurrent_calls',
    default: ({ WORKSPACE_CONCURRENCY }) => WORKSPACE_CONCURRENCY,
    errorCode: 'CONCURRENCY_LIMIT',
  },
  requests_per_minute: {
    column: 'quotas_requests_per_minute',
    default: ({ RATE_LIMIT_PER_MINUTE }) => RATE_LIMIT_PER_MINUTE,
    errorCode: 'RATE_LIMITED',
  },
  credits_per_day: {
    column: 'quotas_credits_per_day',
    default: () => null,
    errorCode: 'CREDITS_PER_DAY_QUOTA_REACHED',
  },
} satisfies Record<string, Quota>;

export type QuotaName = keyof typeof QUOTAS;

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** What the operator may set a quota to. */
export const boundsOf = (name: QuotaName) => ({
  // Suspending a workspace is another command.
  min: name === 'requests_per_minute' ? 1 : 0,
  max: name === 'knowledge_base_bytes' ? 999_999_999_999_999 : 2_147_483_647,
});

/** Where no quota applies: the same maximum for every workspace, so that nothing grows without end. */
export const MAXIMUMS = {
  knowledge_bases: { limit: 10_000, errorCode: 'KNOWLEDGE_BASES_LIMIT_REACHED' },
  prompt_templates: { limit: 1_000, errorCode: 'PROMPT_TEMPLATES_LIMIT_REACHED' },
  /** Within 24 hours. */
  webhook_test_events: { limit: 1_000, errorCode: 'WEBHOOK_TEST_EVENTS_LIMIT_REACHED' },
} as const;

export type MaximumName = keyof typeof MAXIMUMS;

/** What is counted when more of it is created. */
export type Counted =
  'agents' | 'knowledge_base_bytes' | 'api_keys' | 'phone_numbers' | 'recipients' | MaximumName;

export const isMaximum = (counted: Counted): counted is MaximumName => counted in MAXIMUMS;
