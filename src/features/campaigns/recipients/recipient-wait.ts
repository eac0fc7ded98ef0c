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

/**
 * Says why a recipient is not called now: the one place that decides it for one recipient.
 * @param campaignWait undefined: the campaign dials
 * @returns null if a call is in progress, or no further call will be made
 */
export function getWait(facts: WaitFacts, campaignWait: CampaignWait | undefined): RecipientWait | null {
  const { campaignStatus, retryAt, opensAt } = facts;
  if (!facts.isWaiting) return null;
  if (campaignStatus === CAMPAIGN_STATUS.scheduled)
    return { reason: 'campaign_scheduled', until: facts.scheduleTime };
  if (campaignStatus === CAMPAIGN_STATUS.paused) return { reason: 'campaign_paused', until: null };
  if (campaignStatus !== CAMPAIGN_STATUS.running || facts.hasExpired)
    return { reason: 'campaign_ended', until: null };
  if (facts.isListed) return { reason: 'do_not_call', until: null };
  if (retryAt && (!opensAt || opensAt <= retryAt)) return { reason: 'retry_pause', until: retryAt };
  if (facts.isOutsideWindow) return { reason: 'outside_window', until: opensAt };
  // The recipient is due, so a campaign that waits for the time of others has no reason for this one.
  if (campaignWait && !['outside_window', 'retry_pause'].includes(campaignWait.reason))
    return { reason: campaignWait.reason, until: campaignWait.until };
  return { reason: 'other_calls_first', until: null };
}
