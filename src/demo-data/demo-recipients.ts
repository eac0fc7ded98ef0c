import { STATUS } from '../calls/call-states';
import type { CampaignRecipient } from '../campaigns/campaign-recipient.entity';
import {
  CAMPAIGN_STATUS,
  type CampaignStatus,
  RECIPIENT_STATUS,
  SKIP_REASON,
} from '../campaigns/campaign-status';
import type { DemoCall } from './demo-call';
import type { Person } from './demo-people';

export type DemoStatus = Extract<CampaignStatus, 'completed' | 'paused' | 'cancelled'>;

export interface CallsTo {
  person: Person;
  variables: Record<string, string>;
  calls: DemoCall[];
  /** When the next attempt was due. undefined: there is none */
  dueAt: Date | undefined;
}

/** The recipient after these calls. */
export function recipientOf(
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

export function countsOf(recipients: CampaignRecipient[]) {
  const count = (status: CampaignRecipient['status']) =>
    recipients.filter((recipient) => recipient.status === status).length;
  return {
    countPending: count(RECIPIENT_STATUS.pending),
    countCalling: 0,
    countRetrying: count(RECIPIENT_STATUS.retrying),
    countLost: 0,
    countDisconnected: count(RECIPIENT_STATUS.disconnected),
    countFailed: count(RECIPIENT_STATUS.failed),
    countSkipped: count(RECIPIENT_STATUS.skipped),
  };
}

/** Of the last call of everybody who is not called again. */
export function outcomesOf(recipients: CampaignRecipient[], calls: DemoCall[]): Record<string, number> {
  const byId = new Map(calls.map(({ call }) => [call.id, call]));
  const counts: Record<string, number> = {};
  for (const { status, conversationId } of recipients) {
    const call = conversationId === null ? undefined : byId.get(conversationId);
    if (!call || (status !== RECIPIENT_STATUS.disconnected && status !== RECIPIENT_STATUS.failed)) continue;
    const outcome = call.outcome || (call.disconnectReason as string);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
