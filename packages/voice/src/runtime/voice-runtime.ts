import {
  type AnalysisValues,
  type Call,
  CallFailed,
  type CallInterrupted,
  type CallResult,
  type Logger,
  shorten,
} from '@parley/worker';
import type { Plan } from '../agent/plan';
import { resolveAgent } from '../agent/resolve-agent';
import { listServices } from '../agent/services';
import { Recorder } from '../audio/recorder';
import type { Brain, Conclusion, Questions, TokenUsage } from '../brain/brain';
import { ChatCompletionsBrain } from '../brain/chat-completions';
import { concludeWithin } from '../brain/conclusion';
import { LIMITS } from '../brain/answer-limits';
import { ScriptedBrain } from '../brain/scripted-brain';
import type { ToolContext } from '../brain/tools';
import { systemClock } from '../clock';
import { Conversation } from '../conversation/conversation';
import { type Figures, findGap } from '../conversation/contract';
import type { End } from '../conversation/machine';
import { type BrowserDoor, joinUrl, listenUrl } from '../doors/browser/browser-door';
import { JOIN_MS } from '../doors/browser/client-session';
import type { Listeners } from '../doors/browser/listeners';
import type { Carrier } from '../doors/carrier';
import type { HandedOverCall, HandedOverEnd } from '../doors/phone/handed-over';
import { type Session, toListener } from '../doors/session';
import { describeError } from '../errors';
import { Chain, type ChainParts, type FellBack } from '../providers/chain';
import type { Fallbacks } from '../providers/fallbacks';
import { ProviderHealth } from '../providers/provider-health';
import { RealtimeSession } from '../realtime/realtime-session';
import { chooseSpeech, namesOf, type Speech, type SpeechAccounts } from '../speech/services';
import { REALTIME } from '../speech/speech';
import type { Settings } from './settings';
import type { VoiceMetrics } from './voice-metrics';
import type { WebPlaces } from './web-places';

export interface VoiceRuntimeParts {
  door: BrowserDoor;
  /** Places phone calls; undefined: they fail. */
  carrier?: Carrier;
  /** The speech of this machine. */
  speech: Speech & { warm(): Promise<void> };
  /** The providers of speech whose keys are set. */
  accounts?: SpeechAccounts;
  /** The providers that follow one that fails; default: none. */
  fallbacks?: Fallbacks;
  /** The state of the providers, from all calls; default: from those of this handler. */
  health?: ProviderHealth;
  models: Settings['models'];
  /** Converses in the place of the agent's language model. */
  createBrain?: (context: ToolContext) => Brain;
  publicUrl: string;
  /** The metrics of the calls. */
  metrics?: Pick<VoiceMetrics, 'count'>;
  /** The places of web calls; undefined: the worker counts them. */
  places?: WebPlaces;
  /** The time for which the address waits for a client, in milliseconds. */
  joinMs?: number;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** The longest sentence of a warning about a provider. */
const MAX_WARNING = 500;
/** About three hours. */
const MAX_RECORDING_BYTES = 190 * 1024 * 1024;
/** The longest time for which users can come to listen to a call. */
const LISTEN_MS = 12 * 3_600_000;
/** A time that has passed by every clock. */
const OVER = new Date(0);
const PASSED_ON = 'The connection of the person was lost, and the next call of the workspace got the place.';

interface Answer {
  /** The time of the answer to a phone call. It is not set before the answer. */
  at?: number;
}

/** The handler for `createWorker`: converses with the person of a call. */
export function voiceHandler(given: VoiceRuntimeParts): (call: Call) => Promise<CallResult> {
  const parts = { ...given, health: given.health ?? new ProviderHealth(given.fallbacks?.breaker) };
  return (call) =>
    parts.places && !isPhoneCall(call) ? conversePlaced(call, parts, parts.places) : converse(call, parts);
}

/** Converses in a web call, which takes a place of the worker when its person comes. */
async function conversePlaced(call: Call, parts: VoiceRuntimeParts, places: WebPlaces): Promise<CallResult> {
  if (!places.admit(call.id, call.start.workspaceId)) throw new CallFailed('dial_busy');
  call.releasePlace();
  try {
    return await converse(call, parts);
  } finally {
    places.leave(call.id);
  }
}

/** The handler of rehearsals that the server's person joins: in writing, beside the places and the figures of calls. */
export const joinedHandler = ({ speech, ...parts }: VoiceRuntimeParts) =>
  voiceHandler({
    ...{ ...parts, places: undefined, metrics: undefined },
    // Nothing is spoken.
    speech: { recognizer: speech.recognizer, synthesizer: speech.synthesizer, warm: () => Promise.resolve() },
  });

async function converse(call: Call, parts: VoiceRuntimeParts): Promise<CallResult> {
  const { accounts = {} } = parts;
  const providers = {
    models: new Set([...parts.models.keys(), ...(accounts[REALTIME] ? [REALTIME] : [])]),
    recognizers: new Set(namesOf(accounts, 'deepgram')),
    voices: new Set(namesOf(accounts, 'elevenlabs')),
    fallbacks: parts.fallbacks,
    carrierSpeech: isPhoneCall(call) ? parts.carrier?.speech : undefined,
  };
  const { plan } = resolveAgent(call.start, providers);
  const isOwn =
    !providers.carrierSpeech && (plan.recognition.provider === 'local' || plan.voice.provider === 'local');
  const ready = plan.spoken && isOwn ? parts.speech.warm() : Promise.resolve();
  // For an agent that speaks English, the speech of this machine says the words of a wait, and may have to go on.
  if (plan.spoken && !isOwn && plan.whileDue === 'words') void parts.speech.warm().catch(() => undefined);
  // Only one of the two is awaited first, and a failure of the other meanwhile must not end the process.
  ready.catch(() => undefined);
  let session: Session | undefined;
  let listeners: Listeners | undefined;
  const answer: Answer = {};
  try {
    session = isPhoneCall(call)
      ? await dialled(call, plan, parts, ready, answer)
      : await joined(call, plan, parts, ready);
    if (!session) return toEnd(call.signal);
    if (session.sampleRate !== undefined) {
      const until = new Date(Date.now() + LISTEN_MS);
      listeners = parts.door.openForListeners(call.id, until);
      await reportListening(call, parts, listeners, until);
    }
    await call.connected();
    // Only now is it known whether an agent that can do both is spoken with or written to.
    const isWritten = session.sampleRate === undefined && !session.remoteVoice;
    const joinedAs = resolveAgent(call.start, { ...providers, isWritten });
    for (const { code, text } of joinedAs.warnings) await call.warn(code, text);
    const { result, transfer } = await talk(call, session, joinedAs.plan, parts, {
      listeners,
      answeredAt: answer.at,
    });
    if (!transfer) return result;
    const { over, end } = await transfer.ended;
    await transfer.analyze(over);
    return { ...result, ...end, endedAt: over.at };
  } finally {
    session?.end('error');
    listeners?.end('error');
  }
}

const reportListening = (call: Call, { publicUrl }: VoiceRuntimeParts, { secret }: Listeners, until: Date) =>
  call.listenable(listenUrl(publicUrl, call.id, secret), until);

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
    if (!call.signal.aborted && format !== undefined) {
      if (parts.places?.take(call.id) ?? true) {
        call.takePlace();
        return session;
      }
      session.end('dial_busy');
      throw new CallFailed('dial_busy');
    }
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
  answer: Answer,
): Promise<Session | undefined> {
  if (!carrier) throw new CallFailed('dial_failed', 'No carrier is set for phone calls');
  await ready;
  const { to_number: to, from_number: from } = call.start;
  const { maximumMs } = plan.limits;
  const speech = plan.carrierSpeech;
  const { leaseSeconds } = call;
  const answered = (at: number) => void (answer.at = at);
  try {
    if (call.direction === 'inbound')
      return await carrier.pickUp({ id: call.id, answered, number: to, leaseSeconds, speech }, call.signal);
    const detectsMachine = plan.voicemail !== undefined;
    const mayTransfer = plan.transfers.length > 0;
    return await carrier.dial(
      { id: call.id, answered, to, from, detectsMachine, maximumMs, mayTransfer, leaseSeconds, speech },
      call.signal,
    );
  } catch (error) {
    // The carrier charges also for a call without a stream.
    if (answer.at !== undefined) await call.analyzed(countCarrier(carrier, toSeconds(answer.at, new Date())));
    if (call.signal.aborted) return undefined;
    if (error instanceof CallFailed) await call.warn('carrier', error.message);
    throw error;
  }
}

/** The end of a call whose persons were connected. `end`: how it ended, if they have not hung up. */
interface TransferEnd {
  over: HandedOverEnd;
  end?: End;
}

/** The end of the agent's part of a call. */
interface Talked {
  result: CallResult;
  /** undefined: the persons were not connected. */
  transfer?: { ended: Promise<TransferEnd>; analyze: (over: HandedOverEnd) => Promise<void> };
}

async function talk(
  call: Call,
  session: Session,
  plan: Plan,
  parts: VoiceRuntimeParts,
  { listeners, answeredAt = Date.now() }: { listeners?: Listeners; answeredAt?: number },
): Promise<Talked> {
  const isRecorded = plan.recording && session.sampleRate !== undefined;
  const recorder = isRecorded ? await Recorder.create(systemClock, MAX_RECORDING_BYTES) : undefined;
  let release = () => undefined as void;
  try {
    if (plan.recording && session.remoteVoice)
      await call.warn('recording_failed', 'The carrier speaks, so there is no audio to record.');
    // The report is kept at once: it must not be lost with the call.
    const phone = isPhoneCall(call)
      ? {
          press: (digits: string) => conversation.press(digits),
          optOut: () => {
            conversation.hasOptedOut = true;
            return call.analyzed({}, { optOut: true });
          },
        }
      : {};
    const isSpoken = plan.spoken && session.sampleRate !== undefined;
    const fallbacks = new CallFallbacks(call, parts);
    const brain = createBrain(call, plan, parts, { phone, isSpoken, chain: fallbacks.chain });
    release = () => brain.close?.();
    const told = new Set<string>();
    // A brain that hears and speaks needs no other service.
    const speech =
      isSpoken && brain instanceof RealtimeSession
        ? { recognizer: brain.recognizer, synthesizer: brain.synthesizer }
        : chooseSpeech(plan, parts.speech, parts.accounts ?? {}, fallbacks.chain);
    const conversation: Conversation = new Conversation({
      plan,
      brain,
      ...speech,
      apologist: { synthesizer: parts.speech.synthesizer, voice: plan.ownVoice },
      line: session,
      clock: systemClock,
      taps: [recorder, listeners].filter((tap) => tap !== undefined),
      report: {
        turn: (turn) => (plan.transcript ? call.turn(turn) : undefined),
        problem: (sentence) => {
          parts.logger.error(`Call ${call.id}: ${sentence}`);
          if (!told.has(sentence)) void warn(call, 'service_failed', sentence, parts.logger);
          told.add(sentence);
        },
      },
    });
    const { end, transferred } = await finished(call, session, conversation, parts);
    // The recording and the summary take time, which is no part of the call.
    const endedAt = new Date();
    session.end(end.reason);
    listeners?.end(end.reason);
    // The two persons talk for longer, and nobody hears them.
    if (transferred && listeners) await reportListening(call, parts, listeners, OVER);
    if (recorder) await handIn(call, recorder, parts);
    await conversation.settled();
    const conclusion = await conclude(brain, conversation, parts, call);
    parts.metrics?.count(end.reason, conversation.figures, brain.tokens);
    const services = {
      ...(session.remoteVoice
        ? { stt: 'carrier', tts: 'carrier' }
        : { stt: speech.recognizer.provider, tts: speech.synthesizer.provider }),
      llm: brain.provider,
    };
    const seconds = toSeconds(answeredAt, endedAt);
    const { fields, criteria } = conclusion;
    // The fields come first, so that many variables leave none of them out, and count more.
    const values = { ...fields, ...conclusion.variables, ...conversation.variables, ...fields };
    const figures = {
      ...countFigures(conversation.figures),
      ...(isPhoneCall(call) && parts.carrier ? countCarrier(parts.carrier, seconds) : {}),
      ...countUsage(conversation.figures, brain, services),
      ...(plan.whileDue && { fallbacks: fallbacks.count }),
    };
    await warnOfNames(call, figures);
    const options = { criteria, ...(conversation.hasOptedOut && { optOut: true }) };
    await call.analyzed(toFields(values, figures), options);
    const analyze = ({ at, seconds: known }: HandedOverEnd) => {
      const transfer_seconds = known ?? Math.max(0, toSeconds(endedAt.getTime(), at));
      // The carrier charges for both of its calls. A known time is a part of the person's call already.
      const carrier_seconds = seconds + (known === undefined ? 2 : 1) * transfer_seconds;
      const whole = { ...figures, carrier_seconds, transfer_seconds };
      return call.analyzed(toFields(values, whole), options);
    };
    const { summary, outcome } = conclusion;
    return {
      result: { ...end, endedAt, ...(summary && { summary }), ...(outcome && { outcome }) },
      ...(transferred && { transfer: { ended: transferred, analyze } }),
    };
  } finally {
    release();
    await recorder?.close();
  }
}

/**
 * Waits until the persons of a transferred call have hung up, or were hung up. A worker that stops leaves them to the
 * carrier, and the record of the call ends.
 */
async function untilHungUp({ signal }: Call, { ended, hangUp }: HandedOverCall): Promise<TransferEnd> {
  const interrupted = onAbort(signal);
  const over = await Promise.race([ended, interrupted.promise]);
  interrupted.stop();
  if (over) return { over };
  const isHungUp = (signal.reason as CallInterrupted).code === 'hangup';
  if (isHungUp) hangUp();
  return { over: { at: new Date() }, ...(isHungUp && { end: toEnd(signal) }) };
}

function untilTheEnd(
  call: Call,
  session: Session,
  conversation: Conversation,
  { places, logger }: VoiceRuntimeParts,
  left: (end: End) => void,
): Promise<End> {
  const { signal } = call;
  const hangUp = () => conversation.close(toEnd(signal));
  signal.addEventListener('abort', hangUp, { once: true });
  let hasToldMachine = false;
  conversation.start();
  const listener = toListener(conversation);
  session.listen({
    ...listener,
    stop: ({ reason, detail }) => {
      if (detail !== undefined) void warn(call, 'carrier', detail, logger);
      const end = { reason, by: reason === 'user_hangup' ? 'user' : 'system' } as const;
      left(end);
      conversation.close(end);
    },
    lost: () => {
      listener.lost();
      places?.lost(call.id, () => {
        call.releasePlace();
        void warn(call, 'place_passed_on', PASSED_ON, logger);
        conversation.close({ reason: 'user_hangup', by: 'user' });
      });
    },
    returned: () => {
      places?.returned(call.id);
      listener.returned();
    },
    answeredBy: (answerer, detail) => {
      // A person is what every call expects. A carrier may report the machine and its beep.
      if (detail !== undefined && answerer !== 'person' && !hasToldMachine) {
        hasToldMachine = true;
        void warn(call, 'carrier', detail, logger);
      }
      conversation.answeredBy(answerer);
    },
  });
  if (signal.aborted) hangUp();
  return conversation.ended.finally(() => signal.removeEventListener('abort', hangUp));
}

/** A warning that cannot be reported is no failure of the call. */
async function warn(call: Call, code: string, sentence: string, logger: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await call.warn(code, sentence);
  } catch (error) {
    logger.warn(`Call ${call.id}: ${describeError(error)}`);
  }
}

/** The end of the conversation. A person who cannot be connected is not told so: the agent has said goodbye. */
async function finished(
  call: Call,
  session: Session,
  conversation: Conversation,
  parts: VoiceRuntimeParts,
): Promise<{ end: End; transferred?: Promise<TransferEnd> }> {
  /** The end of the call at the other side, which may come after that of the conversation. */
  const other: { end?: End } = {};
  const end = await untilTheEnd(call, session, conversation, parts, (left) => (other.end = left));
  const { transferTo } = conversation;
  if (end.reason !== 'call_transfer' || transferTo === undefined) return { end };
  const hungUp = onAbort(call.signal);
  try {
    if (!session.transfer) throw new Error('There is no telephone in this call');
    const { to, maximumSeconds } = await call.allowTransfer(transferTo);
    const isConnected = await Promise.race([session.transfer(to, maximumSeconds), hungUp.promise]);
    if (isConnected === undefined) return { end: toEnd(call.signal) };
    if (!isConnected) return { end: { reason: 'user_hangup', by: 'user' } };
    if (!session.handedOver) return { end };
    // The carrier conducts the call, also while the summary is written.
    call.releasePlace();
    return { end, transferred: untilHungUp(call, session.handedOver) };
  } catch (error) {
    if (call.signal.aborted) return { end: toEnd(call.signal) };
    // The server may refuse a transfer after the person has hung up.
    if (other.end) return { end: other.end };
    await call.warn('transfer_failed', `The person was not connected: ${describeError(error)}`);
    return {
      end: conversation.isLastResort ? { reason: 'error', by: 'system' } : { ...end, reason: 'agent_hangup' },
    };
  } finally {
    hungUp.stop();
  }
}

const toSeconds = (from: number, to: Date) => Math.ceil((to.getTime() - from) / 1_000);
const isPhoneCall = ({ start }: Call) => start.call_type === 'phonecall';

function createBrain(
  call: Call,
  plan: Plan,
  { models, accounts = {}, createBrain: create, logger }: VoiceRuntimeParts,
  {
    phone,
    isSpoken,
    chain,
  }: { phone: Pick<ToolContext, 'press' | 'optOut'>; isSpoken: boolean; chain: ChainParts },
): Brain {
  const search =
    call.start.knowledge_bases.length > 0
      ? async (query: string) =>
          (await call.search(query)).map(({ text, source_name }) => ({ text, source: source_name }))
      : undefined;
  const context: ToolContext = {
    variables: plan.missingVariables,
    search,
    transfers: plan.transfers,
    ...phone,
    tools: plan.tools,
    ask: async (name, given, confirmed) => {
      const ended = await call.waitForTool(await call.tool(name, given, { confirmed }));
      if (ended.state === 'unknown')
        void warn(call, 'action_unknown', `It is not known whether ${name} was done.`, logger);
      return ended;
    },
  };
  if (create) return create(context);
  const { provider } = plan.language;
  const account = accounts[REALTIME];
  if (provider === REALTIME && account) return new RealtimeSession({ account, plan, isSpoken, context });
  const candidates = [plan.language, ...plan.followers.language].flatMap((settings) => {
    const server = models.get(settings.provider);
    return server ? [{ ...settings, use: { ...server, ...settings } }] : [];
  });
  const [own] = candidates;
  if (!own) return new ScriptedBrain(plan.missingVariables, context);
  return new ChatCompletionsBrain(
    own.use,
    {
      ...{ provider, prompt: plan.prompt, ...context },
      warn: (code, text) => void warn(call, code, text, logger),
    },
    LIMITS,
    new Chain('language', candidates, chain),
  );
}

/** The fallbacks of a call, and their reports. */
class CallFallbacks {
  count = 0;
  readonly chain: ChainParts;
  /** The part and the pair of each warning. */
  private readonly told = new Set<string>();

  constructor(call: Call, { health = new ProviderHealth(), fallbacks, logger }: VoiceRuntimeParts) {
    const fellBack = ({ part, from, to, why }: FellBack) => {
      this.count++;
      const pair = `${part} ${from} ${to}`;
      if (this.told.has(pair)) return;
      this.told.add(pair);
      const sentence = `${part}: ${to} goes on in the place of ${from} (${why}).`;
      void warn(call, 'provider_fallback', shorten(sentence, MAX_WARNING), logger);
    };
    this.chain = { health, clock: systemClock, hedgeMs: fallbacks?.hedgeMs, fellBack };
  }
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
  { messages, turns }: Conversation,
  { logger }: VoiceRuntimeParts,
  { id, start: { analysis } }: Call,
): Promise<Conclusion> {
  const isAsked = analysis && analysis.fields.length + analysis.criteria.length > 0;
  const questions: Questions | undefined = isAsked ? { analysis, turns } : undefined;
  try {
    // Half of the time of a request is left for a second one.
    const limit = AbortSignal.timeout(1.5 * concludeWithin(questions));
    return await brain.conclude(messages, limit, questions);
  } catch (error) {
    logger.warn(`Call ${id}: it has no summary: ${describeError(error)}`);
    return { summary: '', outcome: '', variables: {} };
  }
}

/** The server stores this many fields of a call. */
const MAX_FIELDS = 50;

/** The results and the figures. The figures have their place also beside many variables. */
function toFields(values: AnalysisValues, figures: AnalysisValues): AnalysisValues {
  const rest = MAX_FIELDS - Object.keys(figures).length;
  return { ...Object.fromEntries(Object.entries(values).slice(0, rest)), ...figures };
}

/** The server takes a figure for the field of the agent that has its name. */
async function warnOfNames(call: Call, figures: AnalysisValues): Promise<void> {
  const names = (call.start.analysis?.fields ?? []).map(({ name }) => name);
  const taken = names.filter((name) => Object.hasOwn(figures, name));
  if (taken.length === 0) return;
  const text = `The runtime reports figures of its own with the names of these fields: ${taken.join(', ')}.`;
  await call.warn('field_names_taken', text);
}

function countFigures(figures: Figures) {
  return {
    turn_gap_ms_p50: findGap(figures, 0.5),
    turn_gap_ms_p95: findGap(figures, 0.95),
    turns: figures.turns,
    interruptions: figures.interruptions,
  };
}

/** A carrier charges for a second at least. */
const countCarrier = ({ name }: Carrier, seconds: number) => ({
  carrier: name.toLowerCase(),
  carrier_seconds: Math.max(1, seconds),
});

interface UsedServices {
  stt: string;
  tts: string;
  llm: string;
}

/** The quantities that providers charge for, each with the name of its provider. */
function countUsage(figures: Figures, brain: Brain, { stt, tts, llm }: UsedServices) {
  return {
    ...{ stt_provider: stt, stt_seconds: Math.round(figures.recognizedSeconds) },
    ...{ tts_provider: tts, tts_characters: figures.synthesizedCharacters },
    ...{ llm_provider: llm, llm_tokens: brain.tokens },
    ...countTokens(brain.usage),
  };
}

/** The tokens of each price. */
function countTokens(usage: TokenUsage | undefined): Record<string, number> {
  const counts = {
    llm_tokens_read: usage?.read,
    llm_tokens_written: usage?.written,
    llm_tokens_estimated: usage?.estimated,
    llm_audio_tokens_read: usage?.audioRead,
    llm_audio_tokens_written: usage?.audioWritten,
    llm_cached_tokens: usage?.cached,
    stt_tokens: usage?.transcription,
  };
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])),
  );
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
