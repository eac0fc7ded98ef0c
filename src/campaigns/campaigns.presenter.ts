import type { Campaign } from './campaign.entity';
import { addOutcomes } from './campaign-outcomes';
import { CAMPAIGN_STATUS, PROGRESS_KEYS, type ProgressKey, RECIPIENT_STATUSES } from './campaign-status';
import type { AgentVariables } from '../agents/agents.service';
import { fillVariables } from '../calls/call-start.message';
import type { StagedRecipient } from './campaign-recipients.repository';
import type { CheckedFile } from './recipient-import';
import type { CampaignLogEntry } from './campaign-log-entry.entity';
import type { CampaignLogEntryDto, RecipientDto } from './campaign-steering.dto';
import type { CampaignValidationDto } from './campaign-validation.dto';
import type {
  CampaignDetailDto,
  CampaignDto,
  CampaignProgressDto,
  CreatedCampaignDto,
  ListedCampaignDto,
} from './campaigns.dto';
import type { CampaignSnapshot, Waiting } from './campaigns.repository';
import type { ListedRecipient } from './recipient-list.repository';

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

type Snapshot = Pick<
  CampaignSnapshot,
  'asOf' | 'stored' | 'live' | 'outcomes' | 'liveOutcomes' | 'callsLastMinute' | 'status' | 'failureReason'
>;

/** The counts add up: those with a live call are counted by it, and not by what is stored. */
function progressOf({ stored, live }: Snapshot): CampaignProgressDto {
  const count = (key: ProgressKey) =>
    (RECIPIENT_STATUSES.some((status) => status === key) ? (stored[key] ?? 0) : 0) + (live?.[key] ?? 0);
  return Object.fromEntries(PROGRESS_KEYS.map((key) => [key, count(key)])) as Record<ProgressKey, number>;
}

function estimatedEndOf(
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
  progress: progressOf(snapshot),
  waiting,
});

export function presentDetail(
  campaign: Campaign,
  { waiting, ...snapshot }: Snapshot & { waiting: Waiting | null },
  { defaultConcurrency }: { defaultConcurrency: number },
): CampaignDetailDto {
  const progress = progressOf(snapshot);
  const ended = Object.entries(snapshot.liveOutcomes ?? {}).map(([outcome, count]) => ({ outcome, count }));
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
    outcomes: addOutcomes(snapshot.outcomes, ended),
    waiting,
    calls_last_minute: snapshot.callsLastMinute,
    estimated_end: waiting ? null : estimatedEndOf(snapshot, progress),
    failureReason: snapshot.failureReason,
  };
}

export const presentRecipient = (recipient: ListedRecipient): RecipientDto => ({
  phone_number: recipient.phoneNumber.startsWith('+') ? recipient.phoneNumber : '',
  customer_name: recipient.customerName,
  status: recipient.progress,
  attempts: recipient.attempts,
  last_call_id: recipient.lastCallId,
  next_attempt_at: recipient.nextAttemptAt,
  outcome: recipient.skipped ?? recipient.outcome,
});

export const presentLogEntry = ({ at, event, actor, text, data }: CampaignLogEntry): CampaignLogEntryDto => ({
  at,
  event,
  actor,
  text,
  data,
});

export function presentValidation(
  { rows, numbers, errors, variables, first }: CheckedFile,
  { placeholders, greeting }: Pick<AgentVariables, 'placeholders' | 'greeting'>,
): CampaignValidationDto {
  const variablesOf = ({ customerName, dynamicVariables }: StagedRecipient) => ({
    ...(customerName !== '' && { customer_name: customerName }),
    ...dynamicVariables,
  });
  return {
    rows,
    recipients: numbers.callable,
    errors: errors.map(({ row, message, column = null, value = null }) => ({ row, column, value, message })),
    skipped: { do_not_call: numbers.listed },
    unfilled_variables: placeholders.filter((name) => !variables.includes(name)),
    first_calls: first.map((recipient) => ({
      phone_number: recipient.phoneNumber,
      greeting: fillVariables(greeting, variablesOf(recipient)),
    })),
  };
}
