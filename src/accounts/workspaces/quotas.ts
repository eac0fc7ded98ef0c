import type { Config } from '../../config';

const BYTES_PER_MB = 1024 * 1024;

/**
 * The limits that the operator can set for a workspace, and each default. A value of the operator stands in the
 * column `quotas_<name>` of `workspaces`; null there is the default. A default of null is unlimited.
 */
export const QUOTA_DEFAULTS = {
  agents: ({ AGENTS_QUOTA }) => AGENTS_QUOTA,
  knowledge_base_bytes: ({ KNOWLEDGE_BASE_MB_QUOTA }) => KNOWLEDGE_BASE_MB_QUOTA * BYTES_PER_MB,
  recording_bytes: ({ RECORDINGS_MB_QUOTA }) => RECORDINGS_MB_QUOTA * BYTES_PER_MB,
  api_keys: ({ API_KEYS_QUOTA }) => API_KEYS_QUOTA,
  phone_numbers: ({ PHONE_NUMBERS_QUOTA }) => PHONE_NUMBERS_QUOTA,
  recipients: ({ RECIPIENTS_QUOTA }) => RECIPIENTS_QUOTA,
  concurrent_calls: ({ WORKSPACE_CONCURRENCY }) => WORKSPACE_CONCURRENCY,
  requests_per_minute: ({ RATE_LIMIT_PER_MINUTE }) => RATE_LIMIT_PER_MINUTE,
  credits_per_day: () => null,
} satisfies Record<string, (config: Config) => number | null>;

export type QuotaName = keyof typeof QUOTA_DEFAULTS;

export const QUOTA_NAMES = Object.keys(QUOTA_DEFAULTS) as QuotaName[];

/** The origins of a limit. */
export const QUOTA_SOURCES = ['operator', 'default'] as const;
export type QuotaSource = (typeof QUOTA_SOURCES)[number];

export const quotaColumn = (name: QuotaName) => `quotas_${name}`;

/** The size of knowledge bases, and of recordings. */
export const MAX_BYTES = 999_999_999_999_999;

/** The values that the operator can set. Only the columns of bytes are bigints. */
export const getBounds = (name: QuotaName) => ({
  // A workspace without requests is a suspended one, for which there is another command.
  min: name === 'requests_per_minute' ? 1 : 0,
  max: name.endsWith('_bytes') ? MAX_BYTES : 2_147_483_647,
});

/** The maximums are the same for every workspace: a resource without a quota must not grow without a limit either. */
export const MAXIMUMS = {
  knowledge_bases: 10_000,
  prompt_templates: 1_000,
  tools: 200,
  sessions: 10_000,
  people: 1_000,
  webhook_endpoints: 20,
  /** The number in 24 hours. */
  webhook_test_events: 1_000,
  do_not_call_entries: 1_000_000,
  notes: 100_000,
  saved_views: 200,
  /** The number in 24 hours. */
  trials: 200,
  open_erasures: 1_000,
} as const;

export type MaximumName = keyof typeof MAXIMUMS;

/** The resources of which a workspace has a limited number, and which are counted when more are created. */
export type QuotaResource =
  | 'agents'
  | 'knowledge_base_bytes'
  | 'recording_bytes'
  | 'api_keys'
  | 'phone_numbers'
  | 'recipients'
  | MaximumName;

export const isMaximum = (name: string): name is MaximumName => name in MAXIMUMS;
