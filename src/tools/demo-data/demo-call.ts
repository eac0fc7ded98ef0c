import { randomUUID } from 'node:crypto';
import { fillVariables } from '@parley/worker';
import type { CallAnalysis } from '../../features/reports/runtime-reports/call-analysis.entity';
import type { CallRecording } from '../../features/reports/runtime-reports/call-recording.entity';
import type { Speaker, TranscriptTurn } from '../../features/reports/runtime-reports/transcript-turn.entity';
import { toStoredRequest, toCallRequest } from '../../features/calls/model/call-request';
import { CALL_TYPE, DEFAULT_CHANNEL, REASON, STATUS } from '../../features/calls/model/call-states';
import type { Conversation } from '../../features/calls/model/conversation.entity';
import { CREDITS_PER_MINUTE, HOLD } from '../../features/calls/model/pricing';
import { demoRecordingUrl } from '../../features/demo-recordings/demo-recording';
import { type DemoAgent, versionAt } from './demo-agents';
import type { Ending } from './demo-endings';
import type { Person } from './demo-people';
import { idAt, type Random } from './random';

/** The rows of a call in the tables. */
export interface DemoCall {
  call: Omit<Conversation, 'workspace' | 'versionOfAgent'>;
  /** null: it was never connected. */
  turns: Omit<TranscriptTurn, 'transcript'>[] | null;
  recording: Omit<CallRecording, 'conversation'> | null;
  analysis: Omit<CallAnalysis, 'conversation'> | null;
}

export interface CallPlan {
  agent: DemoAgent;
  /** The number of the agent; '' if it has none. */
  agentNumber: string;
  at: Date;
  person: Person;
  variables: Record<string, string>;
  ending: Ending;
  isInbound?: boolean;
  campaignId?: string;
  attempt?: number;
  webhookUrl?: string;
  publicUrl: string;
}

const WORKERS = ['demo-runtime-1', 'demo-runtime-2', 'demo-runtime-3'];

/** The silence between two turns. */
const GAP_MS: [number, number] = [500, 2_200];

/** The time for which a call waits for a runtime, if none takes it. */
const EXPIRY_MS = 60_000;

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);

/** A call as the server would have stored it, long after its end. */
export function demoCall(plan: CallPlan, random: Random): DemoCall {
  const { agent, at: createdAt, person, ending, isInbound = false } = plan;
  const id = idAt(createdAt);
  const seconds = ending.seconds ? random.between(ending.seconds) : 0;
  const isClaimed = ending.reason !== REASON.dispatch_expired;
  const acceptedAt = isClaimed ? after(createdAt, random.between([40, 900])) : null;
  const ringsUntil = after(acceptedAt ?? createdAt, isInbound ? 0 : random.between([3_000, 24_000]));
  const connectedAt = seconds > 0 ? ringsUntil : null;
  const endedAt = connectedAt
    ? after(connectedAt, seconds * 1_000 - random.between([0, 900]))
    : isClaimed
      ? ringsUntil
      : after(createdAt, EXPIRY_MS);
  const turns = connectedAt && createTurns(id, plan, { connectedAt, endedAt }, random);
  const request = toCallRequest({
    customer_name: isInbound ? '' : person.name,
    dynamic_variables: plan.variables,
    webhook_url: plan.webhookUrl,
  });
  const call: DemoCall['call'] = {
    id,
    workspaceId: agent.agent.workspaceId,
    agentId: agent.agent.id,
    userId: agent.agent.userId,
    campaignId: plan.campaignId ?? null,
    startedBy: null,
    status: connectedAt ? STATUS.disconnected : STATUS.failed,
    callType: CALL_TYPE.phonecall,
    direction: isInbound ? 'inbound' : 'outbound',
    channel: DEFAULT_CHANNEL.voice,
    toNumber: isInbound ? plan.agentNumber : person.number,
    fromNumber: isInbound ? person.number : plan.agentNumber,
    request: toStoredRequest(request) as Conversation['request'],
    agentVersion: versionAt(agent, createdAt),
    attempt: plan.attempt ?? 1,
    agentSnapshot: null,
    hold: HOLD,
    charge: CREDITS_PER_MINUTE * Math.ceil(seconds / 60),
    createdAt,
    expiresAt: after(createdAt, EXPIRY_MS),
    lastPublishAt: createdAt,
    dispatchedAt: isInbound ? null : after(createdAt, 20),
    claimId: isClaimed && !isInbound ? randomUUID() : null,
    token: isClaimed ? randomUUID() : null,
    workerId: isClaimed ? random.pick(WORKERS) : null,
    incomingClaimId: isInbound ? randomUUID() : null,
    joinUrl: null,
    joinExpiresAt: null,
    listenUrl: null,
    listenExpiresAt: null,
    acceptedAt,
    heartbeatAt: acceptedAt && endedAt,
    hangupRequestedAt: null,
    hangupRequestedBy: null,
    connectedAt,
    endedAt,
    durationSec: seconds,
    disconnectReason: ending.reason,
    disconnectedBy: ending.by,
    summary: ending.summary ?? '',
    processCompliance: connectedAt && ending.lines?.length ? 'followed' : '',
    outcome: ending.outcome ?? '',
    transcriptTurns: turns && turns.length,
  };
  return {
    call,
    turns,
    recording: connectedAt && createRecording(id, plan, seconds, after(endedAt, 2_000)),
    analysis:
      turns && turns.length > 2 ? createAnalysis(id, turns, ending, after(endedAt, 4_000), random) : null,
  };
}

/** The greeting and the lines, spread over the call. */
function createTurns(
  conversationId: string,
  { agent, ending, person, variables }: CallPlan,
  { connectedAt, endedAt }: { connectedAt: Date; endedAt: Date },
  random: Random,
): DemoCall['turns'] {
  const known = { customer_name: person.name, ...variables };
  const texts = [agent.greeting, ...(ending.lines ?? [])].map((line) => fillVariables(line, known));
  const step = (endedAt.getTime() - connectedAt.getTime()) / texts.length;
  return texts.map((text, sequence) => ({
    conversationId,
    sequence,
    speaker: sequence % 2 === 0 ? 'agent' : 'user',
    text,
    startedAt: after(connectedAt, Math.round(sequence * step)),
    endedAt: after(
      connectedAt,
      Math.round((sequence + 1) * step - Math.min(step / 2, random.between(GAP_MS))),
    ),
    tool: null,
  }));
}

const createRecording = (
  conversationId: string,
  { publicUrl }: CallPlan,
  durationSec: number,
  reportedAt: Date,
) => ({
  conversationId,
  url: demoRecordingUrl(publicUrl, conversationId, durationSec),
  durationSec,
  reportedAt,
});

/** The usage that a runtime would have reported. */
function countUsage(turns: NonNullable<DemoCall['turns']>) {
  const ofSpeaker = (speaker: Speaker) => turns.filter((turn) => turn.speaker === speaker);
  const ms = ofSpeaker('user').reduce((sum, turn) => sum + Number(turn.endedAt) - Number(turn.startedAt), 0);
  const characters = ofSpeaker('agent').reduce((sum, { text }) => sum + text.length, 0);
  return {
    ...{ stt_provider: 'deepgram', stt_seconds: Math.round(ms / 1_000) },
    ...{ tts_provider: 'elevenlabs', tts_characters: characters },
    ...{ llm_provider: 'openai', llm_tokens: 40 * characters },
  };
}

const createAnalysis = (
  conversationId: string,
  turns: NonNullable<DemoCall['turns']>,
  { outcome = '', optOut = false }: Ending,
  reportedAt: Date,
  random: Random,
) => ({
  conversationId,
  fields: {
    reached: true,
    result: outcome,
    mood: random.pick(['good', 'good', 'neutral', 'bad']),
    ...countUsage(turns),
  },
  criteria: null,
  optOut,
  reportedAt,
});
