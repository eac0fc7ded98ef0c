import {
  CAMPAIGN_STATUS,
  type CampaignStatus,
  WAITING_REASONS,
  type WaitingReason,
} from '../plan/campaign-status';

const RECIPIENT_REASONS = [
  'campaign_scheduled',
  'campaign_paused',
  'campaign_ended',
  'do_not_call',
  'other_calls_first',
] as const;

/** Why a recipient is not called now: reasons of the recipient, then those for which a whole campaign waits. */
export const RECIPIENT_WAITING_REASONS = [...RECIPIENT_REASONS, ...WAITING_REASONS] as const;
export type RecipientWaitingReason = (typeof RECIPIENT_WAITING_REASONS)[number];

/** The facts that decide when a recipient is called. Times that have passed, and times that never come, are null. */
export interface WaitFacts {
  isWaiting: boolean;
  /** Whether the number is on the do-not-call list. */
  isListed: boolean;
  campaignStatus: CampaignStatus;
  hasExpired: boolean;
  scheduleTime: Date | null;
  /** The time of the next attempt. */
  retryAt: Date | null;
  /** Whether the windows of the zone are closed now. */
  isOutsideWindow: boolean;
  opensAt: Date | null;
  isAgentOff: boolean;
}

export interface RecipientWait {
  reason: RecipientWaitingReason;
  /** null: no time is known. */
  until: Date | null;
}

/** The reason and the time for which a whole campaign waits, apart from its recipients' own times. */
interface CampaignWait {
  reason: WaitingReason;
  until: Date | null;
}

/** Reasons of a whole campaign that are known of each of its recipients. */
const OF_RECIPIENTS: readonly WaitingReason[] = ['outside_window', 'retry_pause', 'agent_off'];

/**
 * Says why a recipient is not called now: the one place that decides it for one recipient.
 * @param campaignWait undefined: the campaign dials
 * @returns all that is known, the most important first: of a running campaign that is due, also what its workspace
 * waits for. None if a call is in progress, or no further call will be made
 */
export function listWaits(facts: WaitFacts, campaignWait: CampaignWait | undefined): RecipientWait[] {
  const { campaignStatus, scheduleTime, retryAt, opensAt } = facts;
  if (!facts.isWaiting) return [];
  const isScheduled = campaignStatus === CAMPAIGN_STATUS.scheduled;
  const isPaused = campaignStatus === CAMPAIGN_STATUS.paused;
  const isRunning = campaignStatus === CAMPAIGN_STATUS.running && !facts.hasExpired;
  if (!isScheduled && !isPaused && !isRunning) return [{ reason: 'campaign_ended', until: null }];
  const waits: RecipientWait[] = [];
  if (isScheduled) waits.push({ reason: 'campaign_scheduled', until: scheduleTime });
  if (isPaused) waits.push({ reason: 'campaign_paused', until: null });
  if (facts.isListed) waits.push({ reason: 'do_not_call', until: null });
  const timed: RecipientWait[] = [];
  if (retryAt) timed.push({ reason: 'retry_pause', until: retryAt });
  if (facts.isOutsideWindow) timed.push({ reason: 'outside_window', until: opensAt });
  waits.push(...timed.sort((a, b) => Number(b.until) - Number(a.until)));
  // A campaign that waits for the time of others has no reason for this one.
  if (campaignWait && !OF_RECIPIENTS.includes(campaignWait.reason))
    waits.push({ reason: campaignWait.reason, until: campaignWait.until });
  if (facts.isAgentOff) waits.push({ reason: 'agent_off', until: null });
  return waits.length > 0 ? waits : [{ reason: 'other_calls_first', until: null }];
}
