import {
  CALL_EVENT,
  CANCELLER,
  type Canceller,
  type AllowedTransfer,
  type CorrectedFrom,
} from '../../calls/model/call-event.entity';
import { type DisconnectReason, REASON, STATUS } from '../../calls/model/call-states';
import { byName } from '../../../platform/database/closed-list';
import type { Actor } from '../../../platform/http/actor';
import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import type { CallFacts } from './call-records.repository';
import { readTransferNumber } from '../../do-not-call/transfer-numbers';
import { listMissingTools } from '../../tools/offered-tools';
import {
  describeEnd,
  describeFailure,
  describeInvocation,
  describeMissingTools,
  describeSender,
  formatDuration,
} from './timeline-texts';

/** The kinds in the order in which entries of the same time are shown. */
export const TIMELINE_KINDS = [
  'accepted',
  'credits_held',
  'published',
  'claimed',
  'connected',
  'warning',
  'transfer_allowed',
  'tool_requested',
  'tool_settled',
  'hangup_requested',
  'ended',
  'failed',
  'corrected',
  'credits_released',
  'credits_charged',
  'credits_corrected',
  'recorded',
  'analyzed',
  'webhook_attempt',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];
const KIND = byName(TIMELINE_KINDS);

export const TIMELINE_SOURCES = [
  'api',
  'server',
  'runtime',
  'webhook',
  'ledger',
  'campaign',
  'operator',
] as const;
export type TimelineSource = (typeof TIMELINE_SOURCES)[number];
const SOURCE = byName(TIMELINE_SOURCES);

export interface TimelineEntry {
  at: Date;
  kind: TimelineKind;
  source: TimelineSource;
  text: string;
  data: object;
}

const credits = (amount: number) => `${amount} ${amount === 1 ? 'credit' : 'credits'}`;

/** Returns everything that is stored about a call, in the order of time. */
export function buildTimeline(call: CallFacts): TimelineEntry[] {
  const entries = [
    accepted(call),
    ...published(call),
    ...claimed(call),
    ...warned(call),
    ...withoutTool(call),
    ...transferred(call),
    ...asked(call),
    ...hangUpRequested(call),
    ...ended(call),
    ...corrected(call),
    ...ledger(call),
    ...reported(call),
    ...webhookAttempts(call),
  ];
  const rank = ({ kind }: TimelineEntry) => TIMELINE_KINDS.indexOf(kind);
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b));
}

function accepted(call: CallFacts): TimelineEntry {
  return {
    at: call.createdAt,
    kind: KIND.accepted,
    ...describeBeginning(call),
    data: {
      to_number: call.toNumber,
      from_number: call.fromNumber,
      agent_version: call.agentVersion,
      actor: call.startedBy,
    },
  };
}

function describeBeginning(call: CallFacts): Pick<TimelineEntry, 'source' | 'text'> {
  const agent = `the agent “${call.agentName}”, version ${call.agentVersion}`;
  if (call.isIncoming) {
    const from = call.fromNumber === '' ? 'a withheld number' : call.fromNumber;
    const text = `The runtime “${call.workerId}” took a call from ${from} to ${call.toNumber} for ${agent}.`;
    return { source: SOURCE.runtime, text };
  }
  const to = call.toNumber === '' ? '' : ` to ${call.toNumber}`;
  if (call.campaignId !== null) {
    const campaign = `The campaign “${call.campaignName ?? call.campaignId}”`;
    return { source: SOURCE.campaign, text: `${campaign} started a call${to} through ${agent}.` };
  }
  const source = SOURCE.api;
  // Earlier releases did not store who started a call.
  if (!call.startedBy) return { source, text: `A call${to} was started through ${agent}.` };
  const { who, from } = describeSender(call.startedBy);
  return { source, text: `${who} started a call${to}${from} through ${agent}.` };
}

function published({ dispatchedAt, acceptedAt, events }: CallFacts): TimelineEntry[] {
  const again = events.filter(({ kind }) => kind === CALL_EVENT.published);
  const entries = again.map(({ at }) => ({
    at: new Date(at),
    text: 'The server published the call again, because the broker had not confirmed it.',
    data: { confirmed: false },
  }));
  if (dispatchedAt) {
    const text = 'The broker confirmed the call; runtimes can claim it.';
    // The time is written for many calls at once, sometimes after a claim, which the publish must have preceded.
    const at = acceptedAt && acceptedAt < dispatchedAt ? acceptedAt : dispatchedAt;
    entries.push({ at, text, data: { confirmed: true } });
  }
  return entries.map((entry) => ({ ...entry, kind: KIND.published, source: SOURCE.server }));
}

function claimed({ acceptedAt, connectedAt, workerId }: CallFacts): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const data = { worker_id: workerId };
  if (acceptedAt) {
    const text = `The runtime “${workerId}” claimed the call.`;
    entries.push({ at: acceptedAt, kind: KIND.claimed, source: SOURCE.runtime, text, data });
  }
  if (connectedAt) {
    const text = 'The call was connected.';
    entries.push({ at: connectedAt, kind: KIND.connected, source: SOURCE.runtime, text, data });
  }
  return entries;
}

const warned = ({ warnings, workerId }: CallFacts): TimelineEntry[] =>
  warnings.map(({ at, code, text }) => ({
    at: new Date(at),
    kind: KIND.warning,
    source: SOURCE.runtime,
    text,
    data: { code, worker_id: workerId },
  }));

/** The actions of the agent that its runtime did not get as tools. A number to transfer to is none. */
function withoutTool({ acceptedAt, actions, tools }: CallFacts): TimelineEntry[] {
  const others = actions.filter((action) => readTransferNumber(action) === undefined);
  const missing = listMissingTools({ actions: others }, tools);
  if (missing.length === 0 || !acceptedAt) return [];
  return [
    {
      at: acceptedAt,
      kind: KIND.warning,
      source: SOURCE.server,
      text: describeMissingTools(missing),
      data: { code: 'no_such_tool', worker_id: null },
    },
  ];
}

const transferred = ({ events, workerId }: CallFacts): TimelineEntry[] =>
  events
    .filter(({ kind }) => kind === CALL_EVENT.transfer_allowed)
    .map(({ at, data }) => {
      const { toNumber, maximumSeconds } = data as unknown as AllowedTransfer;
      return {
        at: new Date(at),
        kind: KIND.transfer_allowed,
        source: SOURCE.runtime,
        text: `The agent may connect the person with ${toNumber}, for ${formatDuration(maximumSeconds)} at most.`,
        data: { to_number: toNumber, maximum_seconds: maximumSeconds, worker_id: workerId },
      };
    });

const asked = ({ invocations, workerId }: CallFacts): TimelineEntry[] =>
  invocations.flatMap(({ id, tool, state, askedAt, settledAt, settledBy }) => {
    const data = { invocation_id: id, tool };
    const requested = {
      at: new Date(askedAt),
      kind: KIND.tool_requested,
      source: SOURCE.runtime,
      text: `The agent asked for ${tool}.`,
      data: { ...data, worker_id: workerId },
    };
    if (settledAt === null) return [requested];
    const ms = new Date(settledAt).getTime() - new Date(askedAt).getTime();
    return [
      requested,
      {
        at: new Date(settledAt),
        kind: KIND.tool_settled,
        ...(settledBy === 'person'
          ? {
              source: SOURCE.api,
              text: `A person said that ${tool} ${state === 'done' ? 'was done' : 'was not done'}.`,
            }
          : { source: SOURCE.server, text: describeInvocation(tool, state, ms) }),
        data: { ...data, state, ms },
      },
    ];
  });

const hangUpRequested = ({ hangupRequestedAt, hangupRequestedBy, workerId }: CallFacts): TimelineEntry[] =>
  hangupRequestedAt
    ? [
        {
          at: hangupRequestedAt,
          kind: KIND.hangup_requested,
          source: SOURCE.api,
          text: hangUpText(hangupRequestedBy, `the runtime “${workerId}” was asked to end the call`),
          data: { actor: hangupRequestedBy },
        },
      ]
    : [];

/**
 * Words a request to hang up.
 * @param what what followed, as a sentence
 */
function hangUpText(actor: Actor | null, what: string): string {
  // Earlier releases did not store who hung up.
  if (!actor) return `${what.replace(/^./, (letter) => letter.toUpperCase())}.`;
  const { who, from } = describeSender(actor);
  return `${who} hung up${from}, and ${what}.`;
}

/** The first end of the call. A later correction has an entry of its own. */
function ended(call: CallFacts): TimelineEntry[] {
  if (!call.endedAt || !call.disconnectReason) return [];
  const before = findCorrection(call);
  const status = before?.status ?? call.status;
  const reason = before ? REASON.worker_lost : call.disconnectReason;
  const durationSec = before?.durationSec ?? call.durationSec;
  return [
    {
      at: foundLostAt(call, reason) ?? (before ? new Date(before.endedAt) : call.endedAt),
      kind: status === STATUS.disconnected ? KIND.ended : KIND.failed,
      ...(describeCause(call, reason) ?? { source: SOURCE.runtime, text: describeEnding(call, durationSec) }),
      data: {
        disconnect_reason: reason,
        disconnected_by: before ? 'system' : call.disconnectedBy,
        duration_sec: durationSec,
        worker_id: call.workerId,
        ...(reason === REASON.worker_lost && { heartbeat_at: call.heartbeatAt }),
        ...(reason === REASON.dispatch_expired && { expires_at: call.expiresAt }),
      },
    },
  ];
}

/**
 * The time when the server found out that a connected call was lost and released its hold. The call itself ends
 * with its last heartbeat.
 */
function foundLostAt({ entries }: CallFacts, reason: DisconnectReason): Date | undefined {
  const released = reason === REASON.worker_lost && entries.find(({ kind }) => kind === ENTRY_KIND.release);
  return released ? new Date(released.at) : undefined;
}

/**
 * Words how the server ended a call, and by what it found out.
 * @returns undefined if the runtime reported the end
 */
function describeCause(
  call: CallFacts,
  reason: DisconnectReason,
): Pick<TimelineEntry, 'source' | 'text'> | undefined {
  if (reason === REASON.dispatch_failed) {
    return {
      source: SOURCE.server,
      text: 'The call was not placed: the message broker did not confirm it in time.',
    };
  }
  if (reason === REASON.dispatch_expired) {
    return {
      source: SOURCE.server,
      text: 'The call was not placed: no runtime claimed it in time.',
    };
  }
  if (reason === REASON.worker_lost) {
    return { source: SOURCE.server, text: 'The call was lost: its runtime stopped responding.' };
  }
  if (call.acceptedAt) return undefined;
  if (reason === REASON.invalid_destination) {
    return {
      source: SOURCE.campaign,
      text: 'The call was not placed: this installation does not allow the destination.',
    };
  }
  return describeCancellation(call);
}

function describeCancellation({ events }: CallFacts): Pick<TimelineEntry, 'source' | 'text'> {
  const event = events.find(({ kind }) => kind === CALL_EVENT.cancelled);
  const texts: Record<Canceller, string> = {
    api: hangUpText(
      (event?.data.actor as Actor | undefined) ?? null,
      'the call was cancelled before a runtime claimed it',
    ),
    campaign:
      'The campaign took the call back before a runtime claimed it: it was paused, changed or cancelled, or its agent was deleted.',
    operator:
      'The call was cancelled before a runtime claimed it, because the operator suspended the workspace.',
    do_not_call:
      'The call was cancelled when a runtime claimed it, because the number is on the do-not-call list.',
    erasure: 'The call was cancelled before a runtime claimed it, because the person is being erased.',
  };
  const by = event?.data.by as Canceller | undefined;
  // Releases before timelines did not store who cancelled a call.
  if (!by) return { source: SOURCE.server, text: 'The call was cancelled before a runtime claimed it.' };
  const isServer = by === CANCELLER.do_not_call || by === CANCELLER.erasure;
  return { source: isServer ? SOURCE.server : by, text: texts[by] };
}

/** Words the end of a call that a runtime had claimed. The data of the entry says which party reported it. */
function describeEnding(
  { direction, status, disconnectReason, disconnectedBy }: CallFacts,
  durationSec: number,
): string {
  const person = direction === 'inbound' ? 'caller' : 'person';
  const by = { user: person, agent: 'agent', system: 'system' }[disconnectedBy ?? 'system'];
  const reason = disconnectReason ?? REASON.error;
  return status === STATUS.disconnected
    ? describeEnd(reason, { person, by }, durationSec)
    : describeFailure(reason, { person, by });
}

const findCorrection = ({ events }: CallFacts) =>
  events.find(({ kind }) => kind === CALL_EVENT.corrected)?.data as CorrectedFrom | undefined;

function corrected(call: CallFacts): TimelineEntry[] {
  const event = call.events.find(({ kind }) => kind === CALL_EVENT.corrected);
  if (!event) return [];
  return [
    {
      at: new Date(event.at),
      kind: KIND.corrected,
      source: SOURCE.runtime,
      text: `${describeEnding(call, call.durationSec)} A late report corrected the record.`,
      data: {
        disconnect_reason: call.disconnectReason,
        disconnected_by: call.disconnectedBy,
        duration_sec: call.durationSec,
        ended_at: call.endedAt,
        worker_id: call.workerId,
      },
    },
  ];
}

function ledger({ entries }: CallFacts): TimelineEntry[] {
  const shown: Record<string, [TimelineKind, (amount: number) => string]> = {
    [ENTRY_KIND.hold]: [KIND.credits_held, (amount) => `${credits(-amount)} held for the call.`],
    [ENTRY_KIND.release]: [KIND.credits_released, (amount) => `The hold of ${credits(amount)} was released.`],
    [ENTRY_KIND.charge]: [KIND.credits_charged, (amount) => `The call was charged ${credits(-amount)}.`],
    [ENTRY_KIND.correction]: [
      KIND.credits_corrected,
      (amount) =>
        amount < 0
          ? `The correction was charged ${credits(-amount)}.`
          : `The correction gave ${credits(amount)} back.`,
    ],
  };
  return entries.flatMap(({ at, kind, amount }) => {
    const [name, text] = shown[kind] ?? [];
    if (!name || !text) return [];
    return [{ at: new Date(at), kind: name, source: SOURCE.ledger, text: text(amount), data: { amount } }];
  });
}

function reported({ recording, analysis, workerId }: CallFacts): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  if (recording) {
    entries.push({
      at: new Date(recording.at),
      kind: KIND.recorded,
      source: SOURCE.runtime,
      text: 'The recording is available.',
      data: { recording_url: recording.url, duration_sec: recording.durationSec, worker_id: workerId },
    });
  }
  if (analysis) {
    const optOut = analysis.optOut ? ' The person asked not to be called again.' : '';
    entries.push({
      at: new Date(analysis.at),
      kind: KIND.analyzed,
      source: SOURCE.runtime,
      text: `The analysis is available.${optOut}`,
      data: { fields: analysis.fields, opt_out: analysis.optOut, worker_id: workerId },
    });
  }
  return entries;
}

const webhookAttempts = ({ attempts }: CallFacts): TimelineEntry[] =>
  attempts.map((attempt) => ({
    at: new Date(attempt.at),
    kind: KIND.webhook_attempt,
    source: SOURCE.webhook,
    text: `Attempt ${attempt.number} to send ${attempt.type} to ${attempt.url} ${describeResult(attempt)}.`,
    data: {
      delivery_id: attempt.deliveryId,
      ...(attempt.endpointId !== null && { endpoint_id: attempt.endpointId }),
      type: attempt.type,
      number: attempt.number,
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
    },
  }));

function describeResult({ statusCode, error, durationMs }: CallFacts['attempts'][number]): string {
  if (durationMs === null) return 'has not ended';
  if (error === null) return `was answered ${statusCode}`;
  return statusCode === null ? `failed: ${error}` : `was answered ${statusCode}: ${error}`;
}
