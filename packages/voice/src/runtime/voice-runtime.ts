import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, CallFailed, type CallInterrupted, type CallResult, type Logger } from '@parley/worker';
import type { Plan } from '../agent/plan';
import { resolveAgent } from '../agent/resolve-agent';
import { Recorder } from '../audio/recorder';
import type { Brain, Conclusion } from '../brain/brain';
import { ChatCompletionsBrain } from '../brain/chat-completions';
import { ScriptedBrain } from '../brain/scripted-brain';
import { systemClock } from '../clock';
import { Conversation, type Figures } from '../conversation/conversation';
import type { End } from '../conversation/machine';
import { type BrowserDoor, joinUrl } from '../doors/browser/browser-door';
import { type ClientSession, JOIN_MS } from '../doors/browser/client-session';
import { describeError } from '../errors';
import type { Recognizer, Synthesizer } from '../speech/speech';
import type { Settings } from './settings';

export interface VoiceRuntimeParts {
  door: BrowserDoor;
  speech: { recognizer: Recognizer; synthesizer: Synthesizer; warm(): Promise<void> };
  models: Settings['models'];
  publicUrl: string;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** About three hours. */
const MAX_RECORDING_BYTES = 190 * 1024 * 1024;
const CONCLUDE_MS = 15_000;

/** The handler for `createWorker`: converses with the person of a web call. */
export const voiceHandler = (parts: VoiceRuntimeParts) => (call: Call) => converse(call, parts);

async function converse(call: Call, parts: VoiceRuntimeParts): Promise<CallResult> {
  if (call.start.call_type !== 'webcall')
    throw new CallFailed('dial_failed', 'No carrier is set for phone calls');
  const { plan, warnings } = resolveAgent(call.start, { models: new Set(parts.models.keys()) });
  if (plan.spoken) await parts.speech.warm();
  const session = parts.door.open(call.id);
  const hungUp = onAbort(call.signal);
  try {
    await call.joinable(joinUrl(parts.publicUrl, call.id, session.secret), new Date(Date.now() + JOIN_MS));
    const format = await Promise.race([session.joined, hungUp.promise]);
    if (call.signal.aborted) return endOf(call.signal);
    if (format === undefined) throw new CallFailed('dial_no_answer');
    await call.connected();
    for (const { code, text } of warnings) await call.warn(code, text);
    return await talk(call, session, plan, parts);
  } finally {
    hungUp.stop();
    session.end('error');
  }
}

async function talk(
  call: Call,
  session: ClientSession,
  plan: Plan,
  parts: VoiceRuntimeParts,
): Promise<CallResult> {
  const folder =
    plan.recording && session.sampleRate !== undefined
      ? await mkdtemp(join(tmpdir(), 'parley-voice-'))
      : undefined;
  const file = folder && join(folder, 'recording.wav');
  try {
    const recorder = file ? await Recorder.create(file, systemClock, MAX_RECORDING_BYTES) : undefined;
    const brain = brainOf(call, plan, parts);
    const conversation = new Conversation({
      plan,
      brain,
      recognizer: parts.speech.recognizer,
      synthesizer: parts.speech.synthesizer,
      line: session,
      clock: systemClock,
      recorder,
      report: {
        turn: (turn) => {
          if (plan.transcript) call.turn(turn as Parameters<Call['turn']>[0]);
        },
        problem: (sentence) => parts.logger.error(`Call ${call.id}: ${sentence}`),
      },
    });
    const end = await untilTheEnd(call.signal, session, conversation);
    session.end(end.reason);
    if (recorder && file) await handIn(call, recorder, file, parts);
    const conclusion = await conclude(brain, conversation, parts, call.id);
    await call.analyzed(
      analysis(conversation.figures, { ...conclusion.variables, ...conversation.variables }, brain),
    );
    const { summary, outcome } = conclusion;
    return { ...end, ...(summary && { summary }), ...(outcome && { outcome }) };
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

function untilTheEnd(signal: AbortSignal, session: ClientSession, conversation: Conversation): Promise<End> {
  const hangUp = () => conversation.close(endOf(signal));
  signal.addEventListener('abort', hangUp, { once: true });
  conversation.start();
  session.listen({
    media: (samples) => conversation.hear(samples),
    text: (text) => conversation.read(text),
    dtmf: (digit) => conversation.dtmf(digit),
    stop: () => conversation.close({ reason: 'user_hangup', by: 'user' }),
    lost: () => conversation.lost(),
    returned: () => conversation.returned(),
    gone: () => conversation.close({ reason: 'user_hangup', by: 'user' }),
  });
  if (signal.aborted) hangUp();
  return conversation.ended.finally(() => signal.removeEventListener('abort', hangUp));
}

function brainOf(call: Call, plan: Plan, { models }: VoiceRuntimeParts): Brain {
  const search =
    call.start.knowledge_bases.length > 0
      ? async (query: string) => (await call.search(query)).map(({ text }) => ({ text }))
      : undefined;
  const server = models.get(plan.language.provider);
  if (!server) return new ScriptedBrain(plan.missingVariables, search);
  return new ChatCompletionsBrain(
    { ...server, ...plan.language },
    { provider: plan.language.provider, prompt: plan.prompt, variables: plan.missingVariables, search },
  );
}

async function handIn(
  call: Call,
  recorder: Recorder,
  file: string,
  { logger }: VoiceRuntimeParts,
): Promise<void> {
  try {
    if (recorder.isFull) await call.warn('recording_shortened', 'The recording ends before the call.');
    await recorder.close();
    await call.record(createReadStream(file), { contentType: 'audio/wav' });
  } catch (error) {
    logger.error(`Call ${call.id}: its recording is lost: ${describeError(error)}`);
    await call.warn('recording_failed', 'The recording was not kept.');
  }
}

/** A call keeps its end also if nobody can say what it was about. */
async function conclude(
  brain: Brain,
  { messages }: Conversation,
  { logger }: VoiceRuntimeParts,
  callId: string,
): Promise<Conclusion> {
  try {
    return await brain.conclude(messages, AbortSignal.timeout(CONCLUDE_MS));
  } catch (error) {
    logger.warn(`Call ${callId}: it has no summary: ${describeError(error)}`);
    return { summary: '', outcome: '', variables: {} };
  }
}

function analysis(figures: Figures, variables: Record<string, string>, brain: Brain) {
  const gaps = figures.turnGapsMs.toSorted((a, b) => a - b);
  const percentile = (share: number) => gaps[Math.max(0, Math.ceil(gaps.length * share) - 1)] ?? null;
  return {
    ...Object.fromEntries(Object.entries(variables).slice(0, 40)),
    turn_gap_ms_p50: percentile(0.5),
    turn_gap_ms_p95: percentile(0.95),
    turns: figures.turns,
    interruptions: figures.interruptions,
    stt_seconds: Math.round(figures.recognizedSeconds),
    tts_characters: figures.synthesizedCharacters,
    llm_tokens: brain.tokens,
  };
}

const endOf = ({ reason }: AbortSignal): End => ({
  reason: (reason as CallInterrupted).code === 'hangup' ? 'cancelled' : 'error',
  by: 'system',
});

function onAbort(signal: AbortSignal): { promise: Promise<undefined>; stop(): void } {
  let stop = () => undefined as void;
  const promise = new Promise<undefined>((resolve) => {
    const aborted = () => resolve(undefined);
    if (signal.aborted) return aborted();
    signal.addEventListener('abort', aborted, { once: true });
    stop = () => signal.removeEventListener('abort', aborted);
  });
  return { promise, stop: () => stop() };
}
