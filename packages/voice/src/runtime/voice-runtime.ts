import { type Call, CallFailed, type CallInterrupted, type CallResult, type Logger } from '@parley/worker';
import type { Plan } from '../agent/plan';
import { resolveAgent } from '../agent/resolve-agent';
import { listServices } from '../agent/services';
import { Recorder } from '../audio/recorder';
import { ActionClient, type AddressRule } from '../brain/action-client';
import type { Brain, Conclusion } from '../brain/brain';
import { ChatCompletionsBrain } from '../brain/chat-completions';
import { ScriptedBrain } from '../brain/scripted-brain';
import { systemClock } from '../clock';
import { Conversation, type Figures } from '../conversation/conversation';
import type { End } from '../conversation/machine';
import { type BrowserDoor, joinUrl } from '../doors/browser/browser-door';
import { JOIN_MS } from '../doors/browser/client-session';
import type { Carrier } from '../doors/carrier';
import type { Session } from '../doors/session';
import { describeError } from '../errors';
import { chooseSpeech, type Speech, type SpeechAccounts } from '../speech/services';
import type { Settings } from './settings';
import type { VoiceMetrics } from './voice-metrics';

export interface VoiceRuntimeParts {
  door: BrowserDoor;
  /** Places phone calls; undefined: they fail. */
  carrier?: Carrier;
  /** The speech of this machine. */
  speech: Speech & { warm(): Promise<void> };
  /** The providers of speech whose keys are set. */
  accounts?: SpeechAccounts;
  models: Settings['models'];
  publicUrl: string;
  /** The addresses that actions may reach; default: public ones. */
  isAddressAllowed?: AddressRule;
  /** The metrics of the calls. */
  metrics?: Pick<VoiceMetrics, 'count'>;
  /** The time for which the address waits for a client, in milliseconds. */
  joinMs?: number;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** About three hours. */
const MAX_RECORDING_BYTES = 190 * 1024 * 1024;
const CONCLUDE_MS = 15_000;

/** The handler for `createWorker`: converses with the person of a call. */
export const voiceHandler = (parts: VoiceRuntimeParts) => (call: Call) => converse(call, parts);

async function converse(call: Call, parts: VoiceRuntimeParts): Promise<CallResult> {
  const { accounts = {} } = parts;
  const providers = {
    models: new Set(parts.models.keys()),
    recognizers: new Set(accounts.deepgram ? ['deepgram'] : []),
    voices: new Set(accounts.elevenlabs ? ['elevenlabs'] : []),
    carrierSpeaks: isPhoneCall(call) && parts.carrier?.speaks,
  };
  const { plan } = resolveAgent(call.start, providers);
  const isOwn =
    !providers.carrierSpeaks && (plan.recognition.provider === 'local' || plan.voice.provider === 'local');
  const ready = plan.spoken && isOwn ? parts.speech.warm() : Promise.resolve();
  // Whoever is waited for first, a failure of the other is no unhandled one.
  ready.catch(() => undefined);
  let session: Session | undefined;
  try {
    session = isPhoneCall(call)
      ? await dialled(call, plan, parts, ready)
      : await joined(call, plan, parts, ready);
    if (!session) return toEnd(call.signal);
    await call.connected();
    // Only now is it known whether an agent that can do both is spoken with or written to.
    const isWritten = session.sampleRate === undefined && !session.remoteVoice;
    const joinedAs = resolveAgent(call.start, { ...providers, isWritten });
    for (const { code, text } of joinedAs.warnings) await call.warn(code, text);
    return await talk(call, session, joinedAs.plan, parts);
  } finally {
    session?.end('error');
  }
}

/** Waits for the person of a web call. @returns undefined if the call was hung up before */
async function joined(
  call: Call,
  plan: Plan,
  parts: VoiceRuntimeParts,
  ready: Promise<void>,
): Promise<Session | undefined> {
  await ready;
  const { joinMs = JOIN_MS } = parts;
  const services = listServices(plan, parts.models, { ...parts.accounts });
  const session = parts.door.open(call.id, services, plan.spoken, joinMs);
  const hungUp = onAbort(call.signal);
  try {
    await call.joinable(joinUrl(parts.publicUrl, call.id, session.secret), new Date(Date.now() + joinMs));
    const format = await Promise.race([session.joined, hungUp.promise]);
    if (!call.signal.aborted && format !== undefined) return session;
  } catch (error) {
    session.end('error');
    throw error;
  } finally {
    hungUp.stop();
  }
  session.end('error');
  if (call.signal.aborted) return undefined;
  throw new CallFailed('dial_no_answer');
}

/** Calls the person of a phone call, or answers the person's call. @returns undefined if the call was hung up before */
async function dialled(
  call: Call,
  plan: Plan,
  { carrier }: VoiceRuntimeParts,
  ready: Promise<void>,
): Promise<Session | undefined> {
  if (!carrier) throw new CallFailed('dial_failed', 'No carrier is set for phone calls');
  await ready;
  const { to_number: to, from_number: from, external_id: carrierId } = call.start;
  const { maximumMs } = plan.limits;
  const speech = plan.carrierSpeech;
  try {
    if (call.direction === 'inbound')
      return await carrier.pickUp({ id: call.id, carrierId, maximumMs, speech }, call.signal);
    const detectsMachine = plan.voicemail !== undefined;
    return await carrier.dial({ id: call.id, to, from, detectsMachine, maximumMs, speech }, call.signal);
  } catch (error) {
    if (call.signal.aborted) return undefined;
    if (error instanceof CallFailed) await call.warn('carrier', shortened(error.message));
    throw error;
  }
}

async function talk(call: Call, session: Session, plan: Plan, parts: VoiceRuntimeParts): Promise<CallResult> {
  const isRecorded = plan.recording && session.sampleRate !== undefined;
  const recorder = isRecorded ? await Recorder.create(systemClock, MAX_RECORDING_BYTES) : undefined;
  try {
    if (plan.recording && session.remoteVoice)
      await call.warn('recording_failed', 'The carrier speaks, so there is no audio to record.');
    const press = isPhoneCall(call) ? (digits: string) => conversation.press(digits) : undefined;
    const brain = createBrain(call, plan, parts, press);
    const told = new Set<string>();
    const speech = chooseSpeech(plan, parts.speech, parts.accounts);
    const conversation: Conversation = new Conversation({
      plan,
      brain,
      ...speech,
      apologist: { synthesizer: parts.speech.synthesizer, voice: plan.ownVoice },
      line: session,
      clock: systemClock,
      recorder,
      report: {
        turn: (turn) => {
          if (plan.transcript) call.turn(turn as Parameters<Call['turn']>[0]);
        },
        problem: (sentence) => {
          parts.logger.error(`Call ${call.id}: ${sentence}`);
          if (!told.has(sentence)) void warn(call, 'service_failed', sentence, parts.logger);
          told.add(sentence);
        },
      },
    });
    const startedAt = Date.now();
    const end = await finished(call, session, conversation);
    // The recording and the summary take time, which is no part of the call.
    const endedAt = new Date();
    session.end(end.reason);
    if (recorder) await handIn(call, recorder, parts);
    const conclusion = await conclude(brain, conversation, parts, call.id);
    parts.metrics?.count(end.reason, conversation.figures, brain.tokens);
    const services = {
      ...(isPhoneCall(call) ? { carrier: parts.carrier?.name ?? '' } : {}),
      ...(session.remoteVoice
        ? { stt: 'carrier', tts: 'carrier' }
        : { stt: speech.recognizer.provider, tts: speech.synthesizer.provider }),
      llm: brain.provider,
    };
    const seconds = Math.ceil((endedAt.getTime() - startedAt) / 1_000);
    await call.analyzed(
      analyze(
        { ...conclusion.variables, ...conversation.variables },
        {
          ...countFigures(conversation.figures),
          ...countUsage(conversation.figures, brain, services, seconds),
        },
      ),
    );
    const { summary, outcome } = conclusion;
    return { ...end, endedAt, ...(summary && { summary }), ...(outcome && { outcome }) };
  } finally {
    await recorder?.close();
  }
}

function untilTheEnd(signal: AbortSignal, session: Session, conversation: Conversation): Promise<End> {
  const hangUp = () => conversation.close(toEnd(signal));
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
    machine: (greetingIsOver) => conversation.answeredByMachine(greetingIsOver),
  });
  if (signal.aborted) hangUp();
  return conversation.ended.finally(() => signal.removeEventListener('abort', hangUp));
}

/** A warning that cannot be reported is no failure of the call. */
async function warn(call: Call, code: string, sentence: string, logger: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await call.warn(code, shortened(sentence));
  } catch (error) {
    logger.warn(`Call ${call.id}: ${describeError(error)}`);
  }
}

/** The end of the conversation. A person who cannot be connected is not told so: the agent has said goodbye. */
async function finished(call: Call, session: Session, conversation: Conversation): Promise<End> {
  const end = await untilTheEnd(call.signal, session, conversation);
  const { transferTo } = conversation;
  if (end.reason !== 'call_transfer' || transferTo === undefined) return end;
  try {
    if (!session.transfer) throw new Error('There is no telephone in this call');
    await session.transfer(transferTo);
    return end;
  } catch (error) {
    await call.warn('transfer_failed', shortened(`The person was not connected: ${describeError(error)}`));
    return { ...end, reason: 'agent_hangup' };
  }
}

const isPhoneCall = ({ start }: Call) => start.call_type === 'phonecall';
const MAX_WARNING = 500;
const shortened = (sentence: string) => sentence.slice(0, MAX_WARNING);

function createBrain(
  call: Call,
  plan: Plan,
  { models, isAddressAllowed }: VoiceRuntimeParts,
  press: ((digits: string) => Promise<void>) | undefined,
): Brain {
  const search =
    call.start.knowledge_bases.length > 0
      ? async (query: string) => (await call.search(query)).map(({ text }) => ({ text }))
      : undefined;
  const client = new ActionClient(isAddressAllowed);
  const server = models.get(plan.language.provider);
  if (!server) return new ScriptedBrain(plan.missingVariables, search);
  return new ChatCompletionsBrain(
    { ...server, ...plan.language },
    {
      provider: plan.language.provider,
      prompt: plan.prompt,
      variables: plan.missingVariables,
      search,
      transfers: plan.transfers,
      press,
      actions: plan.actions.map(({ name, url }) => ({
        name,
        run: (given, signal) =>
          client.post(
            url,
            { call_id: call.id, agent_id: call.start.agent_id, action: name, arguments: given },
            signal,
          ),
      })),
    },
  );
}

async function handIn(call: Call, recorder: Recorder, { logger }: VoiceRuntimeParts): Promise<void> {
  try {
    if (recorder.isFull) await call.warn('recording_shortened', 'The recording ends before the call.');
    await call.record(await recorder.finish(), { contentType: 'audio/wav' });
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

/** The server stores so many fields of a call. */
const MAX_FIELDS = 50;

/** The results and the figures. The figures have their place also beside many variables. */
function analyze(variables: Record<string, string>, figures: Record<string, number | string | null>) {
  const rest = MAX_FIELDS - Object.keys(figures).length;
  return { ...Object.fromEntries(Object.entries(variables).slice(0, rest)), ...figures };
}

function countFigures(figures: Figures) {
  const gaps = figures.timings.map(({ gap }) => gap).sort((a, b) => a - b);
  const percentile = (share: number) => gaps[Math.max(0, Math.ceil(gaps.length * share) - 1)] ?? null;
  return {
    turn_gap_ms_p50: percentile(0.5),
    turn_gap_ms_p95: percentile(0.95),
    turns: figures.turns,
    interruptions: figures.interruptions,
  };
}

interface UsedServices {
  stt: string;
  tts: string;
  llm: string;
  carrier?: string;
}

/** The quantities that providers charge for, each with the name of its provider. */
function countUsage(
  figures: Figures,
  brain: Brain,
  { stt, tts, llm, carrier }: UsedServices,
  seconds: number,
) {
  return {
    ...(carrier === undefined ? {} : { carrier: carrier.toLowerCase(), carrier_seconds: seconds }),
    ...{ stt_provider: stt, stt_seconds: Math.round(figures.recognizedSeconds) },
    ...{ tts_provider: tts, tts_characters: figures.synthesizedCharacters },
    ...{ llm_provider: llm, llm_tokens: brain.tokens },
    ...(brain.usage && { llm_tokens_read: brain.usage.read, llm_tokens_written: brain.usage.written }),
  };
}

const toEnd = ({ reason }: AbortSignal): End => ({
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
