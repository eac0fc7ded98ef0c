import { TIME_VARIABLES } from '@parley/voice';
import { fillVariables, listVariables } from '@parley/worker';
import type { Campaign } from '../plan/campaign.entity';
import { addOutcomes } from '../plan/campaign-outcomes';
import {
  CAMPAIGN_STATUS,
  PROGRESS_KEYS,
  type ProgressKey,
  RECIPIENT_STATUSES,
} from '../plan/campaign-status';
import type { AgentVariables } from '../../agents/agents.service';
import type { StagedRecipient } from '../recipients/campaign-recipients.repository';
import type { CheckedFile } from '../recipients-file/recipient-import';
import { presentLeftOut, presentRowError } from '../../../platform/csv/left-out-rows.dto';
import type { CampaignLogEntry } from '../plan/campaign-log-entry.entity';
import type { CampaignLogEntryDto, RecipientDetailDto, RecipientDto } from './campaign-steering.dto';
import type { CampaignValidationDto } from '../recipients-file/campaign-validation.dto';
import type {
  CampaignDetailDto,
  CampaignDto,
  CampaignProgressDto,
  ContactResultsDto,
  CreatedCampaignDto,
  ListedCampaignDto,
} from './campaigns.dto';
import type { CampaignSnapshot, Waiting } from '../running/campaigns.repository';
import type { FoundRecipient, ListedRecipient } from '../recipients/recipient-list.repository';
import { listWaits } from '../recipients/recipient-wait';

export const presentCreatedCampaign = (campaign: Campaign): CreatedCampaignDto => ({
  campaign_id: campaign.id,
  campaignName: campaign.name,
  assistantId: campaign.agentId,
  status: campaign.status,
  scheduleTime: campaign.scheduleTime,
  createdAt: campaign.createdAt,
});

export const presentCampaign = (campaign: Campaign): CampaignDto => ({
  ...presentCreatedCampaign(campaign),
  recipientCount: campaign.recipientCount,
  updatedAt: campaign.updatedAt,
});

type Snapshot = Omit<CampaignSnapshot, 'id'>;

/** Adds the counts up. A recipient with a live call is counted by the call, and not by the stored status. */
function toProgress({ stored, live }: Snapshot): CampaignProgressDto {
  const count = (key: ProgressKey) =>
    (RECIPIENT_STATUSES.some((status) => status === key) ? (stored[key] ?? 0) : 0) + (live?.[key] ?? 0);
  return Object.fromEntries(PROGRESS_KEYS.map((key) => [key, count(key)])) as Record<ProgressKey, number>;
}

/** The results add up to the recipients whose last call was connected and has ended. */
function toResults(
  { countVoicemail, countInactivity, liveResults }: Snapshot,
  { disconnected }: CampaignProgressDto,
): ContactResultsDto {
  const voicemail = countVoicemail + (liveResults?.voicemail ?? 0);
  const inactivity = countInactivity + (liveResults?.inactivity ?? 0);
  return { reached: disconnected - voicemail - inactivity, voicemail, inactivity };
}

/** Adds the stored counts and the counts that are not settled yet, without the names whose count is 0. */
function toOutcomes(stored: Record<string, number>, live: Record<string, number> | null) {
  const added = Object.entries(live ?? {}).map(([outcome, count]) => ({ outcome, count }));
  const known = Object.fromEntries(Object.entries(stored).filter(([, count]) => count > 0));
  return addOutcomes(known, added);
}

function estimateEnd(
  { asOf, callsLastMinute, status }: Snapshot,
  progress: CampaignProgressDto,
): Date | null {
  const left = progress.pending + progress.retrying;
  if (status !== CAMPAIGN_STATUS.running || callsLastMinute === 0 || left === 0) return null;
  return new Date(asOf.getTime() + (left / callsLastMinute) * 60_000);
}

export const presentListedCampaign = (
  campaign: Campaign,
  { waiting, ...snapshot }: Snapshot & { waiting: Waiting | null },
): ListedCampaignDto => ({
  ...presentCampaign({ ...campaign, status: snapshot.status }),
  timezone: campaign.timezone,
  progress: toProgress(snapshot),
  results: toResults(snapshot, toProgress(snapshot)),
  waiting,
});

export function presentDetail(
  campaign: Campaign,
  { waiting, ...snapshot }: Snapshot & { waiting: Waiting | null },
  { defaultConcurrency }: { defaultConcurrency: number },
): CampaignDetailDto {
  const progress = toProgress(snapshot);
  return {
    ...presentCampaign({ ...campaign, status: snapshot.status }),
    timezone: campaign.timezone,
    windows: campaign.windows,
    concurrency: campaign.concurrency ?? defaultConcurrency,
    callsPerSecond: campaign.callsPerSecond,
    retry: campaign.retry,
    webhookUrl: campaign.webhookUrl || null,
    expiresAt: campaign.expiresAt,
    as_of: snapshot.asOf,
    progress,
    results: toResults(snapshot, progress),
    outcomes: toOutcomes(snapshot.outcomes, snapshot.liveOutcomes),
    retrying_outcomes: toOutcomes(snapshot.retryingOutcomes, snapshot.liveRetryingOutcomes),
    waiting,
    calls_last_minute: snapshot.callsLastMinute,
    estimated_end: waiting ? null : estimateEnd(snapshot, progress),
    failureReason: snapshot.failureReason,
  };
}

export const presentRecipient = (recipient: ListedRecipient): RecipientDto => ({
  phone_number: recipient.phoneNumber.startsWith('+') ? recipient.phoneNumber : '',
  customer_name: recipient.customerName,
  status: recipient.progress,
  result: recipient.result,
  attempts: recipient.attempts,
  last_call_id: recipient.lastCallId,
  next_attempt_at: recipient.nextAttemptAt,
  outcome: recipient.skipped ?? recipient.outcome,
});

export function presentRecipientDetail(
  recipient: FoundRecipient,
  campaignWait: Waiting | undefined,
): RecipientDetailDto {
  const obstacles = listWaits(recipient, campaignWait);
  return { ...presentRecipient(recipient), waiting: obstacles[0] ?? null, obstacles };
}

export const presentLogEntry = ({ at, event, actor, text, data }: CampaignLogEntry): CampaignLogEntryDto => ({
  at,
  event,
  actor,
  text,
  data,
});

export function presentValidation(
  { rows, numbers, errors, leftOut, variables, first }: CheckedFile,
  { placeholders, greeting }: Pick<AgentVariables, 'placeholders' | 'greeting'>,
): CampaignValidationDto {
  const toVariables = ({ customerName, dynamicVariables }: StagedRecipient) =>
    listVariables({ customer_name: customerName, dynamic_variables: dynamicVariables });
  const filled = [...variables, ...TIME_VARIABLES];
  return {
    rows,
    recipients: numbers.callable,
    errors: errors.map(presentRowError),
    skipped: { do_not_call: numbers.listed },
    ...(leftOut && { left_out: presentLeftOut(leftOut) }),
    unfilled_variables: placeholders.filter((name) => !filled.includes(name)),
    first_calls: first.map((recipient) => ({
      phone_number: recipient.phoneNumber,
      greeting: fillVariables(greeting, toVariables(recipient)),
    })),
  };
}
