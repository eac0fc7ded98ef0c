import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from '../agent/plan';
import { decodeAudio } from '../audio/media-format';
import {
  type AnswerPart,
  type Brain,
  BrainError,
  type Conclusion,
  type Message,
  type Questions,
  type TokenUsage,
} from '../brain/brain';
import { type AnswerLimits, GO_ON, LIMITS, MAX_STEPS } from '../brain/answer-limits';
import { ANALYSIS_TOKENS, askForConclusion, concludeWithin, readConclusion } from '../brain/conclusion';
import { interleave, type ToolCall, type ToolContext, Tools, type ToolUse } from '../brain/tools';
import { toMembers } from '../json-frames';
import { describeError } from '../errors';
import {
  type Account,
  REALTIME,
  type Recognition,
  type RecognitionListener,
  SpeechError,
  type Synthesizer,
} from '../speech/speech';
import { Vocabulary } from '../speech/vocabulary';
import { RealtimeRecognition, REALTIME_FORMAT, REALTIME_RATE } from './realtime-recognition';
import { RealtimeResponse } from './realtime-response';
import { createRealtimeUrl, createSession } from './realtime-settings';
import { describeReason, type RealtimeEvent, RealtimeSocket } from './realtime-socket';

/** A response that was cancelled must be over before the next one. */
const IDLE_MS = 3_000;
/** The attempts to begin a session, and the time after which none begins. */
const MAX_CONNECTS = 3;
const CONNECT_PAUSE_MS = 250;
const CONNECT_MS = 5_000;
const READ_ALOUD =
  'Read the text of the user aloud, word for word. Add nothing, leave nothing out, do not answer it, and do not translate it.';

export interface RealtimeSessionOptions {
  account: Account;
  plan: Plan;
  /** Whether the session hears and speaks. Otherwise it reads and writes. */
  isSpoken: boolean;
  context: ToolContext;
  limits?: AnswerLimits;
}

/** A response that was requested and is not over. */
interface Request {
  response: RealtimeResponse;
  socket: RealtimeSocket;
  /** Whether it is a part of the conversation. */
  isOwn: boolean;
  isCancelled: boolean;
  forget: () => void;
}

/**
 * A conversation with a model of OpenAI that hears the person and speaks by itself, over one session. The session has
 * what `messages` has: turns as the person spoke them, and the answers up to where they were heard.
 */
export class RealtimeSession implements Brain {
  readonly provider = REALTIME;
  /** Says texts that are given, such as the greeting, in the voice of the model. */
  readonly read?: (
    text: string,
    messages: readonly Message[],
    signal: AbortSignal,
  ) => AsyncIterable<AnswerPart>;
  private readonly tools: Tools;
  private readonly vocabulary: Vocabulary;
  private readonly limits: AnswerLimits;
  private socket?: RealtimeSocket;
  private recognition?: RealtimeRecognition;
  private messages: readonly Message[] = [];
  /** The number of the messages that the session has. */
  private known = 0;
  /** The words of the answers of the session since the last message of the agent. */
  private written?: { items: Set<string>; text: string };
  /** The response that writes to the conversation. */
  private active?: Request;
  private readonly requests = new Map<string, Request>();
  private count = 0;
  private readonly over = new AbortController();
  /** The audio of the items of the last answers, in milliseconds. */
  private readonly received = new Map<string, number>();
  private readonly counted = { read: 0, written: 0, audioRead: 0, audioWritten: 0, cached: 0 };

  constructor(private readonly options: RealtimeSessionOptions) {
    this.tools = new Tools(options.context, (use) => this.settled(use));
    this.vocabulary = new Vocabulary(options.plan.vocabulary);
    this.limits = options.limits ?? LIMITS;
    if (options.isSpoken) this.read = (text, messages, signal) => this.readAloud(text, messages, signal);
  }

  get tokens(): number {
    return this.counted.read + this.counted.written;
  }

  get usage(): TokenUsage {
    return { ...this.counted, transcription: this.recognition?.tokens };
  }

  get hasNews(): boolean {
    return this.tools.hasNews;
  }

  get recognizer() {
    return { provider: REALTIME, open: (listener: RecognitionListener) => this.listen(listener) };
  }

  /** The words that are no part of the conversation, such as those of a listener. */
  get synthesizer(): Synthesizer {
    return { provider: REALTIME, speak: (text, _, signal) => this.speak(text, signal) };
  }

  async *answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AnswerPart> {
    const { answerMs } = this.limits;
    const late = AbortSignal.timeout(answerMs);
    try {
      yield* this.answerWithTools(messages, AbortSignal.any([signal, late]));
    } catch (error) {
      if (late.aborted && !signal.aborted)
        throw new BrainError(`The answer of the model took longer than ${answerMs / 1_000} s`);
      throw error;
    }
  }

  /** The person heard only the beginning of this item. */
  cut(item: string, playedMs: number): void {
    const received = this.received.get(item);
    if (this.active) this.cancel(this.active);
    if (received === undefined) return;
    // More than the audio that there is would be refused.
    const audio_end_ms = Math.floor(Math.min(playedMs, received));
    this.socket?.sendOptional({
      type: 'conversation.item.truncate',
      item_id: item,
      content_index: 0,
      audio_end_ms,
    });
  }

  async conclude(
    messages: readonly Message[],
    signal: AbortSignal,
    questions?: Questions,
  ): Promise<Conclusion> {
    const { variables } = this.options.context;
    // The transcript of the questions has what was said.
    const said = questions ? [] : messages;
    const input = [...said, { role: 'user' as const, text: askForConclusion(variables, questions) }].map(
      toItem,
    );
    const response = {
      ...{ output_modalities: ['text'], conversation: 'none', input, tool_choice: 'none' },
      ...(questions && { max_output_tokens: ANALYSIS_TOKENS }),
    };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(concludeWithin(questions))]);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return readConclusion(await this.write(response, limit), variables, this.tools.noted, questions);
        } catch (error) {
          this.replace(error, attempt, limit);
        }
      }
    } finally {
      await this.awaitUsage();
    }
  }

  close(): void {
    const error = new SpeechError('The call is over');
    this.over.abort(error);
    this.end(error);
  }

  private listen(listener: RecognitionListener): Recognition {
    this.recognition = new RealtimeRecognition(
      () => (this.socket?.isOpen ? this.socket : undefined),
      (signal) => this.connect(signal),
      listener,
    );
    // The session begins before the person has spoken. If it fails, the first request says why.
    this.connect(this.over.signal).catch(() => undefined);
    return this.recognition;
  }

  private async *answerWithTools(
    messages: readonly Message[],
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    for (let step = 0; step <= MAX_STEPS; step++) {
      const calls: ToolCall[] = [];
      // After the last step no tool is offered, so the model must answer.
      const response = step < MAX_STEPS ? {} : { tool_choice: 'none' };
      this.tools.read();
      yield* this.respond(response, messages, calls, signal);
      if (calls.length === 0) return;
      const { ends } = yield* this.tools.useAll(calls, messages, signal);
      if (ends) return;
    }
  }

  /** A session that begins after this gets the result with what was said. */
  private settled(use: ToolUse): void {
    if (this.socket?.hasBegun) for (const item of toOutput(use)) this.create(item);
  }

  private readAloud(
    text: string,
    messages: readonly Message[],
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    return this.respond(createReading(text), messages, [], signal);
  }

  private async *speak(text: string, signal: AbortSignal) {
    const response = { ...createReading(text), conversation: 'none' };
    for await (const part of this.request(response, [], signal)) {
      if (part.type === 'speech' && part.audio) yield part.audio;
    }
  }

  /** A response in the conversation. A second one, in a new session, continues what the first had begun to say. */
  private async *respond(
    response: object,
    messages: readonly Message[],
    calls: ToolCall[],
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    let said = '';
    const ask = () => this.ask(response, messages, said.trim(), calls, signal);
    for await (const part of this.attempt(signal, ask)) {
      if (part.type === 'text' || part.type === 'speech') said += part.text;
      yield part;
    }
  }

  /** @param begun what a session that has ended had said of the answer */
  private async *ask(
    response: object,
    messages: readonly Message[],
    begun: string,
    calls: ToolCall[],
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    calls.length = 0;
    const socket = await this.connect(signal);
    this.adopt(messages);
    yield* this.request(this.toContinuation(response, begun), calls, signal, socket);
  }

  /** @param begun what a session that has ended had said of the answer */
  private toContinuation(response: object, begun: string): object {
    if (begun === '') return response;
    const item = toItem({ role: 'agent', text: begun });
    this.create(item);
    const { input, instructions = this.options.plan.prompt } = response as Partial<
      ReturnType<typeof createReading>
    >;
    return {
      ...response,
      ...(input ? { input: [...input, item] } : {}),
      instructions: `${instructions}\n\n${GO_ON}`,
    };
  }

  /** Twice. The second time, the session is a new one. */
  private async *attempt(
    signal: AbortSignal,
    ask: () => AsyncIterable<AnswerPart>,
  ): AsyncIterable<AnswerPart> {
    for (let attempt = 1; ; attempt++) {
      try {
        yield* ask();
        return;
      } catch (error) {
        this.replace(error, attempt, signal);
      }
    }
  }

  /** Ends the session in which an attempt failed. @throws the failure of the second one, or the reason of the signal */
  private replace(error: unknown, attempt: number, signal: AbortSignal): void {
    if (signal.aborted) throw signal.reason;
    this.end(new SpeechError('The session was replaced'));
    if (attempt === 2) throw new BrainError(describeError(error));
  }

  /** A text of the model that is no part of the conversation. */
  private async write(response: object, signal: AbortSignal): Promise<string> {
    let text = '';
    for await (const part of this.request(response, [], signal)) if (part.type === 'text') text += part.text;
    return text;
  }

  /** The present session, or a new one. @throws SpeechError if none begins after a few attempts */
  private async connect(signal: AbortSignal): Promise<RealtimeSocket> {
    const limit = AbortSignal.any([signal, this.over.signal]);
    const until = Date.now() + CONNECT_MS;
    for (let attempt = 1; ; attempt++) {
      limit.throwIfAborted();
      // The server may have closed the session before the end of the connection has come here.
      if (this.socket?.isClosing) this.end(new SpeechError('OpenAI ended the session'));
      const socket = this.socket ?? this.open();
      try {
        await socket.ready;
        limit.throwIfAborted();
        return socket;
      } catch (error) {
        const pauseMs = CONNECT_PAUSE_MS * attempt;
        if (limit.aborted || attempt === MAX_CONNECTS || Date.now() + pauseMs > until) throw error;
        await pause(pauseMs, undefined, { signal: limit }).catch(() => undefined);
      }
    }
  }

  private open(): RealtimeSocket {
    const { account, plan, isSpoken } = this.options;
    const url = createRealtimeUrl(account.baseUrl, plan.language.model);
    const session = createSession(plan, isSpoken, this.tools.describe());
    const socket: RealtimeSocket = new RealtimeSocket(url, account.apiKey, session, {
      event: (event) => socket === this.socket && this.receive(event),
      lost: (error) => socket === this.socket && this.end(error),
    });
    this.socket = socket;
    // A session that replaces another one gets what was said and done.
    socket.ready.then(
      () => {
        if (socket !== this.socket) return;
        for (const item of interleave(this.messages, this.tools.uses, toItem, toItems)) this.create(item);
        this.known = this.messages.length;
      },
      () => undefined,
    );
    return socket;
  }

  /** Ends the session. The next request begins another one. */
  private end(error: SpeechError): void {
    const { socket } = this;
    this.socket = undefined;
    [this.written, this.active] = [undefined, undefined];
    this.received.clear();
    for (const { response } of this.requests.values()) response.fail(error);
    this.requests.clear();
    this.recognition?.lost(error);
    socket?.close();
  }

  /** Adds the messages that the session does not have. */
  private adopt(messages: readonly Message[]): void {
    this.messages = messages;
    if (messages.length === this.known) return;
    this.tools.beginAnswer(messages);
    for (const message of messages.slice(this.known)) {
      if (message.role === 'user') {
        const correct = (text: string) => this.vocabulary.correct(text);
        if (!this.recognition?.keep(message.text, correct)) this.create(toItem(message));
      } else this.adoptAnswer(message);
    }
    if (this.written && !this.options.isSpoken) this.remove(this.written.items);
    this.written = undefined;
    this.known = messages.length;
    this.received.clear();
  }

  /** Spoken answers were cut where they ended for the person. Written ones are replaced by what was heard. */
  private adoptAnswer(message: Message): void {
    const { written } = this;
    this.written = undefined;
    if (written && (this.options.isSpoken || normalize(written.text) === normalize(message.text))) return;
    if (written) this.remove(written.items);
    this.create(toItem(message));
  }

  private remove(items: Iterable<string>): void {
    for (const item of items) this.socket?.sendOptional({ type: 'conversation.item.delete', item_id: item });
  }

  private create(item: object): void {
    this.socket?.send({ type: 'conversation.item.create', item });
  }

  private async *request(
    response: object,
    calls: ToolCall[],
    signal: AbortSignal,
    /** The session that has the conversation. undefined: any. */
    given?: RealtimeSocket,
  ): AsyncIterable<AnswerPart> {
    const socket = given ?? (await this.connect(signal));
    const isOwn = !('conversation' in response);
    if (isOwn) await this.awaitIdle(signal);
    if (socket !== this.socket || !socket.isOpen) throw new SpeechError('The session with OpenAI has ended');
    const id = String(++this.count);
    const own = new RealtimeResponse();
    const request: Request = { response: own, socket, isOwn, isCancelled: false, forget: () => undefined };
    this.requests.set(id, request);
    if (isOwn) this.active = request;
    request.forget = socket.send(
      { type: 'response.create', response: { ...response, metadata: { request: id } } },
      (error) => this.finished(id, (each) => each.fail(error)),
    );
    try {
      yield* this.readResponse(own, calls, signal);
    } finally {
      if (!own.isDone) this.cancel(request);
    }
  }

  private async *readResponse(
    response: RealtimeResponse,
    calls: ToolCall[],
    signal: AbortSignal,
  ): AsyncIterable<AnswerPart> {
    const { firstWordMs, nextWordMs } = this.limits;
    let until = Date.now() + firstWordMs;
    let isEmpty = true;
    for (;;) {
      const event = await response.next(until, signal);
      if (event.type === 'response.done') return this.conclusive(event, calls, isEmpty);
      const part = toPart(event) ?? toEnd(event);
      if (part || event.type === 'response.function_call_arguments.delta') until = Date.now() + nextWordMs;
      if (!part) continue;
      isEmpty &&= part.type === 'speech' && part.isLast === true;
      if (part.type === 'speech' && part.audio) {
        const ms = (part.audio.samples.length * 1_000) / REALTIME_RATE;
        this.received.set(part.item, (this.received.get(part.item) ?? 0) + ms);
      }
      yield part;
    }
  }

  /** @throws SpeechError if it is no whole answer */
  private conclusive(event: RealtimeEvent, calls: ToolCall[], isEmpty: boolean): void {
    const { status, status_details: details, output } = toMembers(event.response);
    if (status === 'failed') throw new SpeechError(describeReason(toMembers(toMembers(details).error)));
    if (status === 'cancelled') throw new SpeechError('OpenAI cancelled the answer');
    for (const item of (Array.isArray(output) ? output : []).map(toMembers)) {
      if (item.type !== 'function_call' || item.status === 'incomplete') continue;
      const { call_id: id, name, arguments: given } = item;
      if (typeof id !== 'string' || typeof name !== 'string' || typeof given !== 'string')
        throw new SpeechError('OpenAI sent a function call that makes no sense');
      if (!calls.some((call) => call.id === id)) calls.push({ id, name, arguments: given });
    }
    if (isEmpty && calls.length === 0) throw new SpeechError('OpenAI answered nothing');
  }

  private receive(event: RealtimeEvent): void {
    const { id, metadata } = toMembers(event.response);
    if (event.type === 'response.created') {
      const request = this.requests.get(String(toMembers(metadata).request));
      if (!request || typeof id !== 'string') return;
      request.response.id = id;
      if (request.isCancelled) this.sendCancel(request);
      return;
    }
    const responseId = event.response_id ?? id;
    if (typeof responseId === 'string') return this.receiveFor(responseId, event);
    this.recognition?.receive(event);
  }

  private receiveFor(responseId: string, event: RealtimeEvent): void {
    const [key, request] = [...this.requests].find(([, each]) => each.response.id === responseId) ?? [];
    if (key === undefined || !request) return;
    if (request.isOwn) this.note(event);
    if (event.type !== 'response.done') return request.response.push(event);
    this.countTokens(toMembers(toMembers(event.response).usage));
    this.finished(key, (response) => response.push(event));
  }

  /** Keeps the words of the answer, and the items that have them. */
  private note({ type, item_id: item, delta, transcript }: RealtimeEvent): void {
    if (typeof item !== 'string' || transcript !== undefined) return;
    if (type !== 'response.output_text.delta' && type !== 'response.output_audio_transcript.delta') return;
    this.written ??= { items: new Set(), text: '' };
    this.written.items.add(item);
    this.written.text += typeof delta === 'string' ? delta : '';
  }

  private finished(key: string, settle: (response: RealtimeResponse) => void): void {
    const request = this.requests.get(key);
    if (!request) return;
    this.requests.delete(key);
    if (this.active === request) this.active = undefined;
    request.forget();
    settle(request.response);
  }

  private cancel(request: Request): void {
    if (request.isCancelled || request.response.isDone) return;
    request.isCancelled = true;
    if (request.response.id !== undefined) this.sendCancel(request);
  }

  private sendCancel({ socket, response }: Request): void {
    socket.sendOptional({ type: 'response.cancel', response_id: response.id });
  }

  /** The server refuses a response while there is another one. */
  private async awaitIdle(signal: AbortSignal): Promise<void> {
    const { active } = this;
    if (!active) return;
    this.cancel(active);
    const late = AbortSignal.timeout(IDLE_MS);
    await new Promise<void>((resolve, reject) => {
      void active.response.done.then(resolve);
      const aborted = () => reject(signal.reason as Error);
      if (signal.aborted) return aborted();
      signal.addEventListener('abort', aborted, { once: true });
      late.addEventListener('abort', () => reject(new SpeechError('OpenAI did not end its last answer')), {
        once: true,
      });
    });
  }

  /** An answer that the end of the call has cancelled says only then what it cost. */
  private async awaitUsage(): Promise<void> {
    const over = [...this.requests.values()].map(({ response }) => response.done);
    await Promise.race([Promise.all(over), pause(IDLE_MS, undefined, { ref: false })]);
  }

  private countTokens(usage: RealtimeEvent): void {
    const [input, output] = [toMembers(usage.input_token_details), toMembers(usage.output_token_details)];
    this.counted.read += toCount(usage.input_tokens);
    this.counted.written += toCount(usage.output_tokens);
    this.counted.audioRead += toCount(input.audio_tokens);
    this.counted.audioWritten += toCount(output.audio_tokens);
    this.counted.cached += toCount(input.cached_tokens);
  }
}

/** A response that says a text. It is a part of the conversation, unless it says otherwise. */
const createReading = (text: string) => ({
  input: [toItem({ role: 'user', text })],
  instructions: READ_ALOUD,
  max_output_tokens: 'inf',
  tool_choice: 'none',
});

const toItem = ({ role, text }: Message): object => ({
  type: 'message',
  role: role === 'user' ? 'user' : 'assistant',
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
});

const toOutput = ({ call, result }: ToolUse): object[] =>
  result === undefined ? [] : [{ type: 'function_call_output', call_id: call.id, output: result }];

const toItems = (use: ToolUse): object[] => [
  { type: 'function_call', call_id: use.call.id, name: use.call.name, arguments: use.call.arguments },
  ...toOutput(use),
];

/** @throws SpeechError if the audio makes no sense */
function toPart({ type, item_id: item, delta }: RealtimeEvent): RealtimePart | undefined {
  if (typeof delta !== 'string' || delta === '' || typeof item !== 'string') return undefined;
  switch (type) {
    case 'response.output_text.delta':
      return { type: 'text', text: delta };
    case 'response.output_audio_transcript.delta':
      return { type: 'speech', item, text: delta };
    case 'response.output_audio.delta': {
      const samples = decodeAudio(Buffer.from(delta, 'base64'), REALTIME_FORMAT);
      if (!samples) throw new SpeechError('OpenAI sent audio that makes no sense');
      return { type: 'speech', item, text: '', audio: { samples, sampleRate: REALTIME_RATE } };
    }
  }
  return undefined;
}

/** The end of an item that the model has spoken. */
function toEnd(event: RealtimeEvent): RealtimePart | undefined {
  const { id, type } = toMembers(event.item);
  const isSpoken = event.type === 'response.output_item.done' && type === 'message' && typeof id === 'string';
  return isSpoken ? { type: 'speech', item: id, text: '', isLast: true } : undefined;
}

type RealtimePart = Extract<AnswerPart, { type: 'text' | 'speech' }>;

const toCount = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);
const normalize = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
