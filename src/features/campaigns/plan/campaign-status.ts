import { byName } from '../../../platform/database/closed-list';

/** The statuses in the order of a campaign's life; see campaign-transitions.sql.ts. */
export const CAMPAIGN_STATUSES = [
  'scheduled',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export const CAMPAIGN_STATUS = byName(CAMPAIGN_STATUSES);

/** The statuses of a campaign that has not ended. */
export const OPEN_STATUSES = [
  CAMPAIGN_STATUS.scheduled,
  CAMPAIGN_STATUS.running,
  CAMPAIGN_STATUS.paused,
] as const;

/**
 * The stored status of a recipient. `calling`: the call decides. `lost`: the last call ended as `worker_lost`, and a
 * late report may still correct it.
 */
export const RECIPIENT_STATUSES = [
  'pending',
  'calling',
  'retrying',
  'lost',
  'disconnected',
  'failed',
  'skipped',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];
export const RECIPIENT_STATUS = byName(RECIPIENT_STATUSES);

/** The progress of a recipient, as the API shows it. */
export const PROGRESS_KEYS = [
  'pending',
  'queued',
  'accepted',
  'connected',
  'disconnected',
  'failed',
  'skipped',
  'retrying',
] as const;
export type ProgressKey = (typeof PROGRESS_KEYS)[number];

/**
 * The result of the last call of a recipient that was connected and has ended. `reached`: its runtime reported
 * neither a voicemail nor silence.
 */
export const CONTACT_RESULTS = ['reached', 'voicemail', 'inactivity'] as const;
export type ContactResult = (typeof CONTACT_RESULTS)[number];
export const CONTACT_RESULT = byName(CONTACT_RESULTS);

/** Why a recipient is not called. `invalid_destination`: no number, or one that this installation does not call. */
export const SKIP_REASONS = [
  'do_not_call',
  'invalid_destination',
  'removed',
  'expired',
  'cancelled',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
export const SKIP_REASON = byName(SKIP_REASONS);

/** Why a running campaign dials nothing. */
export const WAITING_REASONS = [
  'outside_window',
  'no_credits',
  'agent_off',
  'workspace_full',
  'no_runtime',
  'broker_away',
  'suspended',
  'retry_pause',
] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];
export const WAITING_REASON = byName(WAITING_REASONS);
