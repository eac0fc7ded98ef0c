import type { WebSocket } from 'ws';
import { findWrongItem, findWrongResponse, findWrongSession, type Refusal, toMembers } from './rules';

type Members = Record<string, unknown>;

export type ModelPart = { text: string } | { tool: string; arguments: object };

/** A fault of one response, or of one text of the person. Each is used once. */
export type RealtimeFault =
  | { failsWith: string }
  /** Closes the session after this share of the audio, or of the words. */
  | { closesAt: number }
  /** Sends nothing more after this share of them. */
  | { stallsAt: number }
  | { sendsNonsense: true }
  | { recognizes: 'nothing' | 'never' };

export interface ConnectionParts {
  findFault: (isText: boolean) => RealtimeFault | undefined;
  /** The words of the person in audio with sound. */
  recognize: () => string;
  /** Returns the words and calls of the model. */
  think: (response: Members) => ModelPart[];
  complain: (refusal: Refusal) => void;
  /** The time in which the model makes 200 ms of audio. */
  paceMs: () => number;
}

export interface Item {
  id: string;
  type: string;
  role?: string;
  text: string;
  audioMs: number;
  callId?: string;
}

interface Running {
  id: string;
  isOwn: boolean;
  isCancelled: boolean;
}

const BYTES_PER_MS = 48;
const LETTER_MS = 10;
const PART_MS = 200;
const MAX_APPEND = 15 * 1024 * 1024;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** One session. A letter of the model is 10 ms of a tone, and audio comes faster than it is played. */
export class RealtimeConnection {
  readonly items: Item[] = [];
  readonly truncated: { item: string; ms: number }[] = [];
  readonly cancelled: string[] = [];
  /** The tokens that were reported, and the audio of the utterances. */
  readonly charged = { read: 0, written: 0, audioRead: 0, audioWritten: 0, cached: 0, transcription: 0 };
  heardMs = 0;
  session: Members = {};
  private buffer = Buffer.alloc(0);
  private readonly running = new Set<Running>();
  private counted = 0;
  private hasSpoken = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly parts: ConnectionParts,
  ) {
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    socket.on('error', () => undefined);
    this.send('session.created', { session: { type: 'realtime' } });
  }

  get isIdle(): boolean {
    return this.running.size === 0;
  }

  /** The session has lasted for an hour. */
  expire(): void {
    this.refuse({ code: 'session_expired' }, undefined);
    this.socket.close(1001);
  }

  /** Reads nothing more, and does not close the connection. */
  freeze(closes = false): void {
    if (closes) this.socket.close(1001);
    this.socket.pause();
  }

  private send(type: string, members: object = {}): void {
    if (this.socket.readyState !== 1) return;
    this.socket.send(JSON.stringify({ type, event_id: `event_${++this.counted}`, ...members }));
  }

  private refuse(refusal: Refusal, eventId: unknown): void {
    const { code, param = null } = refusal;
    this.send('error', {
      error: {
        type: 'invalid_request_error',
        code,
        param,
        message: `sk-secret ${code}`,
        event_id: eventId ?? null,
      },
    });
  }

  private receive(data: Buffer, isBinary: boolean): void {
    let event: Members = {};
    try {
      event = JSON.parse(data.toString()) as Members;
    } catch {
      // It is refused below.
    }
    const refusal = isBinary ? { code: 'invalid_event' } : this.handle(event);
    if (!refusal) return;
    // These two come too late where a client cannot know it.
    const isLate = ['response_cancel_not_active', 'item_delete_invalid_item_id'].includes(refusal.code);
    if (!isLate) this.parts.complain(refusal);
    this.refuse(refusal, event.event_id);
  }

  private handle(event: Members): Refusal | undefined {
    switch (event.type) {
      case 'session.update':
        return this.update(toMembers(event.session));
      case 'input_audio_buffer.append':
        return this.append(event.audio);
      case 'input_audio_buffer.clear':
        return this.clear();
      case 'input_audio_buffer.commit':
        return this.commit();
      case 'conversation.item.create':
        return this.create(toMembers(event.item));
      case 'conversation.item.truncate':
        return this.truncate(event);
      case 'conversation.item.delete':
        return this.remove(event.item_id);
      case 'response.create':
        return this.respond(toMembers(event.response));
      case 'response.cancel':
        return this.cancel(event.response_id);
      default:
        return { code: 'invalid_value', param: 'type' };
    }
  }

  private update(session: Members): Refusal | undefined {
    const refusal = findWrongSession(session, this.hasSpoken);
    if (refusal) return refusal;
    this.session = { ...this.session, ...session };
    this.send('session.updated', { session: this.session });
    return undefined;
  }

  private append(audio: unknown): Refusal | undefined {
    if (typeof audio !== 'string' || !/^[A-Za-z0-9+/]+=*$/.test(audio) || audio.length > MAX_APPEND)
      return { code: 'invalid_value', param: 'audio' };
    const bytes = Buffer.from(audio, 'base64');
    if (bytes.length % 2 !== 0) return { code: 'invalid_value', param: 'audio' };
    this.buffer = Buffer.concat([this.buffer, bytes]);
    return undefined;
  }

  private clear(): undefined {
    this.buffer = Buffer.alloc(0);
    this.send('input_audio_buffer.cleared');
  }

  private commit(): Refusal | undefined {
    if (this.buffer.length < 100 * BYTES_PER_MS) return { code: 'input_audio_buffer_commit_empty' };
    const audio = this.buffer;
    this.buffer = Buffer.alloc(0);
    this.heardMs += audio.length / BYTES_PER_MS;
    const item = this.add({ type: 'message', role: 'user', text: '', audioMs: audio.length / BYTES_PER_MS });
    this.send('input_audio_buffer.committed', { item_id: item.id, previous_item_id: null });
    this.announce(item);
    void this.transcribe(item, audio);
    return undefined;
  }

  private async transcribe(item: Item, audio: Buffer): Promise<void> {
    const fault = this.parts.findFault(true);
    await pause(5);
    if (fault && 'recognizes' in fault) {
      if (fault.recognizes === 'never') return;
      return this.send('conversation.item.input_audio_transcription.failed', {
        item_id: item.id,
        content_index: 0,
        error: { type: 'transcription_error', code: 'audio_unintelligible', message: 'none' },
      });
    }
    let isSound = false;
    for (let at = 0; at + 1 < audio.length && !isSound; at += 2)
      isSound = Math.abs(audio.readInt16LE(at)) > 1_000;
    const transcript = isSound ? this.parts.recognize() : '';
    item.text = transcript;
    const about = { item_id: item.id, content_index: 0 };
    if (transcript !== '')
      this.send('conversation.item.input_audio_transcription.delta', { ...about, delta: transcript });
    this.charged.transcription += 7;
    this.send('conversation.item.input_audio_transcription.completed', {
      ...{ ...about, transcript },
      usage: {
        ...{ type: 'tokens', total_tokens: 7, input_tokens: 4, output_tokens: 3 },
        input_token_details: { text_tokens: 0, audio_tokens: 4 },
      },
    });
  }

  private create(given: Members): Refusal | undefined {
    const refusal = findWrongItem(given, this.calls);
    if (refusal) return refusal;
    const [content] = Array.isArray(given.content) ? given.content.map(toMembers) : [];
    const item = this.add({
      type: String(given.type),
      ...(typeof given.role === 'string' ? { role: given.role } : {}),
      text: findText(content?.text, given.output, given.arguments),
      audioMs: 0,
      ...(given.type === 'function_call' ? { callId: String(given.call_id) } : {}),
    });
    this.announce(item);
    return undefined;
  }

  private truncate({ item_id: id, content_index: index, audio_end_ms: ms }: Members): Refusal | undefined {
    const item = this.items.find((each) => each.id === id);
    if (!item) return { code: 'item_truncate_invalid_item_id', param: 'item_id' };
    if (item.role !== 'assistant' || item.audioMs === 0 || index !== 0)
      return { code: 'invalid_value', param: 'content_index' };
    if (!Number.isInteger(ms) || Number(ms) < 0 || Number(ms) > item.audioMs)
      return { code: 'invalid_value', param: 'audio_end_ms' };
    [item.audioMs, item.text] = [Number(ms), ''];
    this.truncated.push({ item: item.id, ms: Number(ms) });
    this.send('conversation.item.truncated', { item_id: id, content_index: 0, audio_end_ms: ms });
    return undefined;
  }

  private remove(id: unknown): Refusal | undefined {
    const at = this.items.findIndex((each) => each.id === id);
    if (at < 0) return { code: 'item_delete_invalid_item_id', param: 'item_id' };
    this.items.splice(at, 1);
    this.send('conversation.item.deleted', { item_id: id });
    return undefined;
  }

  private respond(response: Members): Refusal | undefined {
    const isOwn = response.conversation !== 'none';
    if (isOwn && [...this.running].some((each) => each.isOwn))
      return { code: 'conversation_already_has_active_response' };
    const refusal = findWrongResponse(response, this.calls);
    if (refusal) return refusal;
    const running = { id: `resp_${++this.counted}`, isOwn, isCancelled: false };
    this.running.add(running);
    void this.perform(running, response).finally(() => this.running.delete(running));
    return undefined;
  }

  private cancel(id: unknown): Refusal | undefined {
    const found = [...this.running].find((each) => (id === undefined ? each.isOwn : each.id === id));
    if (!found || found.isCancelled) return { code: 'response_cancel_not_active' };
    found.isCancelled = true;
    this.cancelled.push(found.id);
    return undefined;
  }

  private async perform(running: Running, response: Members): Promise<void> {
    const fault = this.parts.findFault(false);
    const about = { id: running.id, object: 'realtime.response', metadata: response.metadata ?? null };
    const isText =
      JSON.stringify(response.output_modalities ?? this.session.output_modalities) === '["text"]';
    this.send('response.created', { response: { ...about, status: 'in_progress', output: [] } });
    await pause(5);
    if (fault && 'sendsNonsense' in fault) return void this.socket.send('<html>502</html>');
    const output: object[] = [];
    let spoken = 0;
    const end = (status: string, details: object | null) => {
      const tokens = { text: 10 + spoken, audio: isText ? 0 : spoken };
      this.running.delete(running);
      this.charge({ read: 40, audioRead: 10, cached: 20 });
      this.charge({ written: tokens.text + tokens.audio, audioWritten: tokens.audio });
      this.send('response.done', {
        response: {
          ...{ ...about, status, status_details: details, output },
          usage: {
            ...{ total_tokens: 40 + tokens.text + tokens.audio, input_tokens: 40 },
            output_tokens: tokens.text + tokens.audio,
            input_token_details: { text_tokens: 30, audio_tokens: 10, cached_tokens: 20 },
            output_token_details: { text_tokens: tokens.text, audio_tokens: tokens.audio },
          },
        },
      });
    };
    if (fault && 'failsWith' in fault)
      return end('failed', { type: 'failed', error: { type: 'server_error', code: fault.failsWith } });
    const said = this.parts.think(response);
    for (const [index, part] of said.entries()) {
      const item = this.add(
        'text' in part
          ? { type: 'message', role: 'assistant', text: '', audioMs: 0 }
          : { type: 'function_call', text: '', audioMs: 0, callId: `call_${this.counted + 1}` },
        running.isOwn,
      );
      const place = { response_id: running.id, item_id: item.id, output_index: index, content_index: 0 };
      this.send('response.output_item.added', { ...place, item: { id: item.id, type: item.type } });
      const isWhole = 'tool' in part || (await this.say(part.text, item, place, isText, running, fault));
      if (running.isCancelled) return end('cancelled', { type: 'cancelled', reason: 'client_cancelled' });
      if (!isWhole) return;
      if ('text' in part) spoken += part.text.split(' ').length;
      const done =
        'text' in part
          ? { id: item.id, type: 'message', role: 'assistant', status: 'completed' }
          : {
              ...{ id: item.id, type: 'function_call', status: 'completed', call_id: item.callId },
              ...{ name: part.tool, arguments: JSON.stringify(part.arguments) },
            };
      if ('tool' in part)
        this.send('response.function_call_arguments.done', {
          ...place,
          arguments: JSON.stringify(part.arguments),
        });
      output.push(done);
      this.send('response.output_item.done', { ...place, item: done });
    }
    end('completed', null);
  }

  private charge(tokens: Partial<RealtimeConnection['charged']>): void {
    for (const [name, count] of Object.entries(tokens)) this.charged[name as keyof typeof tokens] += count;
  }

  /** @returns whether everything was said */
  private async say(
    text: string,
    item: Item,
    place: object,
    isText: boolean,
    running: Running,
    fault: RealtimeFault | undefined,
  ): Promise<boolean> {
    const share = fault && ('closesAt' in fault ? fault.closesAt : 'stallsAt' in fault ? fault.stallsAt : 1);
    if (isText) {
      const words = text.match(/\S+\s*/g) ?? [];
      for (const word of words.slice(0, words.length * (share ?? 1))) {
        if (running.isCancelled) return false;
        item.text += word;
        this.send('response.output_text.delta', { ...place, delta: word });
        await pause(1);
      }
      return !this.breakOff(fault);
    }
    this.hasSpoken = true;
    const totalMs = text.length * LETTER_MS;
    const untilMs = totalMs * (share ?? 1);
    for (let ms = 0; ms < untilMs; ms += PART_MS) {
      if (running.isCancelled) return false;
      const length = Math.min(PART_MS, untilMs - ms);
      const words = text.slice(ms / LETTER_MS, (ms + length) / LETTER_MS);
      item.text += words;
      item.audioMs += length;
      this.send('response.output_audio_transcript.delta', { ...place, delta: words });
      this.send('response.output_audio.delta', { ...place, delta: tone(length).toString('base64') });
      await pause(this.parts.paceMs());
    }
    if (this.breakOff(fault)) return false;
    this.send('response.output_audio.done', place);
    this.send('response.output_audio_transcript.done', { ...place, transcript: text });
    return !running.isCancelled;
  }

  /** @returns whether the response ends here */
  private breakOff(fault: RealtimeFault | undefined): boolean {
    if (fault && 'closesAt' in fault) this.socket.close(1011);
    return fault !== undefined && ('closesAt' in fault || 'stallsAt' in fault);
  }

  private get calls(): ReadonlySet<string> {
    return new Set(this.items.flatMap(({ callId }) => callId ?? []));
  }

  private add(item: Omit<Item, 'id'>, isOwn = true): Item {
    const added = { id: `item_${++this.counted}`, ...item };
    if (isOwn) this.items.push(added);
    return added;
  }

  private announce({ id, type, role }: Item): void {
    this.send('conversation.item.added', { previous_item_id: null, item: { id, type, role } });
    this.send('conversation.item.done', { previous_item_id: null, item: { id, type, role } });
  }
}

const findText = (...values: unknown[]): string => values.find((value) => typeof value === 'string') ?? '';

function tone(ms: number): Buffer {
  const bytes = Buffer.alloc(Math.floor(ms) * BYTES_PER_MS);
  for (let at = 0; at < bytes.length; at += 2) bytes.writeInt16LE(Math.round(9_000 * Math.sin(at / 18)), at);
  return bytes;
}
