import { type DisconnectReason, REASON, STATUS } from '../../features/calls/model/call-states';
import type { CampaignRecipient } from '../../features/campaigns/recipients/campaign-recipient.entity';
import {
  CAMPAIGN_STATUS,
  type CampaignStatus,
  RECIPIENT_STATUS,
  SKIP_REASON,
} from '../../features/campaigns/plan/campaign-status';
import { isIrregular } from '../../features/campaigns/recipients/irregular-recipient';
import {
  BLOCK_SIZE,
  NUMBER_END,
  RECIPIENT_END,
} from '../../features/campaigns/recipients/recipient-search-block.entity';
import type { DemoCall } from './demo-call';
import type { Person } from './demo-people';

export type DemoStatus = Extract<CampaignStatus, 'completed' | 'paused' | 'cancelled'>;

export interface CallsTo {
  person: Person;
  variables: Record<string, string>;
  calls: DemoCall[];
  /** The time at which the next attempt was due. undefined: there is none */
  dueAt: Date | undefined;
}

/** The recipient after these calls. */
export function createRecipient(
  campaignId: string,
  index: number,
  { person, variables, calls, dueAt }: CallsTo,
  status: DemoStatus,
): CampaignRecipient {
  const last = calls.at(-1)?.call;
  const isPaused = status === CAMPAIGN_STATUS.paused;
  const ended =
    last?.status === STATUS.disconnected ? RECIPIENT_STATUS.disconnected : RECIPIENT_STATUS.failed;
  const left = isPaused ? RECIPIENT_STATUS.pending : RECIPIENT_STATUS.skipped;
  const state = last === undefined ? left : dueAt && isPaused ? RECIPIENT_STATUS.retrying : ended;
  return {
    campaignId,
    phoneNumber: person.number,
    // The header is the first row.
    rowNumber: index + 2,
    customerName: person.name,
    dynamicVariables: variables,
    conversationId: last?.id ?? null,
    skipped: state === RECIPIENT_STATUS.skipped ? SKIP_REASON.cancelled : null,
    status: state,
    timezone: '',
    attempts: calls.length,
    nextAttemptAt: state === RECIPIENT_STATUS.retrying ? (dueAt ?? null) : null,
    removed: false,
  };
}

/** The blocks in which a search finds the recipients. */
export function createSearchBlocks(campaignId: string, recipients: CampaignRecipient[]) {
  const sorted = [...recipients].sort((a, b) => (a.phoneNumber < b.phoneNumber ? -1 : 1));
  const blocks = Math.ceil(sorted.length / BLOCK_SIZE);
  return Array.from({ length: blocks }, (_, block) => {
    const entries = sorted
      .slice(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE)
      .map(({ phoneNumber, customerName }) => ({ number: phoneNumber, name: customerName.toLowerCase() }));
    const irregular = entries.filter(({ number, name }) => isIrregular(number, name));
    return {
      ...{ campaignId, block },
      numbers: entries.map(({ number }) => number).join(RECIPIENT_END),
      names: entries.map(({ name }) => name).join(RECIPIENT_END),
      irregular: irregular.map(({ number, name }) => number + NUMBER_END + name).join(RECIPIENT_END),
    };
  });
}

export function countRecipients(recipients: CampaignRecipient[], calls: DemoCall[]) {
  const reasons = new Map(calls.map(({ call }) => [call.id, call.disconnectReason]));
  const ended = (reason: DisconnectReason) =>
    recipients.filter(
      ({ status, conversationId }) =>
        status === RECIPIENT_STATUS.disconnected && reasons.get(conversationId ?? '') === reason,
    ).length;
  const count = (status: CampaignRecipient['status']) =>
    recipients.filter((recipient) => recipient.status === status).length;
  return {
    countPending: count(RECIPIENT_STATUS.pending),
    countCalling: 0,
    countRetrying: count(RECIPIENT_STATUS.retrying),
    countLost: 0,
    countDisconnected: count(RECIPIENT_STATUS.disconnected),
    countVoicemail: ended(REASON.voicemail_reached),
    countInactivity: ended(REASON.inactivity),
    countFailed: count(RECIPIENT_STATUS.failed),
    countSkipped: count(RECIPIENT_STATUS.skipped),
  };
}

/** Counts the outcomes of the last calls of the recipients in one of these states. */
export function countOutcomes(
  recipients: CampaignRecipient[],
  calls: DemoCall[],
  ...statuses: CampaignRecipient['status'][]
): Record<string, number> {
  const byId = new Map(calls.map(({ call }) => [call.id, call]));
  const counts: Record<string, number> = {};
  for (const { status, conversationId } of recipients) {
    const call = conversationId === null ? undefined : byId.get(conversationId);
    if (!call || !statuses.includes(status)) continue;
    const outcome = call.outcome || (call.disconnectReason as string);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
