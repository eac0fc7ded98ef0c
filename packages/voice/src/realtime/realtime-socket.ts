import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { parseFrame, toMembers } from '../json-frames';
import { SpeechError } from '../speech/speech';

const BEGIN_MS = 5_000;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export interface SocketLimits {
  /** A ping must be answered before the next one. */
  pingMs: number;
  /** The bytes that may wait to be sent. The longest utterance, which a new session gets as a whole, has 4.5 MB. */
  maxBuffered: number;
}

const LIMITS: SocketLimits = { pingMs: 5_000, maxBuffered: 8 * 1024 * 1024 };
/** The ids of events whose refusal changes nothing begin so. */
const OPTIONAL = 'optional-';

export type RealtimeEvent = Record<string, unknown>;

export interface RealtimeListener {
  event(event: RealtimeEvent): void;
  /** The session ended, and this side had not closed it. */
  lost(error: SpeechError): void;
}

/** One session of the Realtime API of OpenAI. It lasts for an hour at most. */
export class RealtimeSocket {
  /** Resolves when the session has its settings. Rejects with a {@link SpeechError} that has OpenAI's own word. */
  readonly ready: Promise<void>;
  private readonly socket: WebSocket;
  /** The events that may be refused, by their ids. */
  private readonly refusals = new Map<string, (error: SpeechError) => void>();
  private readonly timer: NodeJS.Timeout;
  private begin: () => void = () => undefined;
  private refuse: (error: SpeechError) => void = () => undefined;
  private events = 0;
  private isOver = false;
  private isBegun = false;
  private pings?: NodeJS.Timeout;
  private failure = new SpeechError('The session is over');

  constructor(
    url: string,
    apiKey: string,
    session: object,
    private readonly listener: RealtimeListener,
    private readonly limits = LIMITS,
  ) {
    this.ready = new Promise((resolve, reject) => ([this.begin, this.refuse] = [resolve, reject]));
    this.ready.catch(() => undefined);
    this.timer = setTimeout(
      () => this.fail(`OpenAI began no session within ${BEGIN_MS / 1_000} s`),
      BEGIN_MS,
    );
    this.socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${apiKey}` },
      handshakeTimeout: BEGIN_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.socket.on('open', () => {
      this.send({ type: 'session.update', session });
      this.watch();
    });
    this.socket.once('unexpected-response', (request: ClientRequest, response: IncomingMessage) => {
      request.destroy();
      this.fail(`OpenAI answered ${response.statusCode}`);
    });
    this.socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    this.socket.on('error', (error) => this.fail(`OpenAI: ${error.message}`));
    this.socket.on('close', (code) => this.fail(`OpenAI closed the session: ${code}`));
  }

  get isOpen(): boolean {
    return !this.isOver && this.socket.readyState === WebSocket.OPEN;
  }

  /** The session has ended, and the end of the connection has not come here. */
  get isClosing(): boolean {
    return this.isOver || this.socket.readyState > WebSocket.OPEN;
  }

  /** Whether the session has its settings, and was not ended. */
  get hasBegun(): boolean {
    return this.isBegun && !this.isOver;
  }

  /**
   * @param refused is called if OpenAI refuses the event, or cannot get it. Without it, a refusal ends the session.
   * @returns forgets `refused`
   */
  send(event: RealtimeEvent, refused?: (error: SpeechError) => void): () => void {
    const id = `event-${++this.events}`;
    if (refused) this.refusals.set(id, refused);
    this.write(event, id);
    if (this.isOver) refused?.(this.failure);
    return () => void this.refusals.delete(id);
  }

  /** Sends an event that the server refuses if it comes too late. Then there is nothing more to do. */
  sendOptional(event: RealtimeEvent): void {
    this.write(event, `${OPTIONAL}${++this.events}`);
  }

  /** Ends the session at once. Its further events are ignored. */
  close(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    clearInterval(this.pings);
    this.refusals.clear();
    this.refuse(this.failure);
    this.socket.terminate();
  }

  private write(event: RealtimeEvent, id: string): void {
    if (this.isOver || this.socket.readyState === WebSocket.CONNECTING) return;
    if (!this.isOpen) return this.fail('OpenAI ended the session');
    this.socket.send(JSON.stringify({ ...event, event_id: id }));
    if (this.socket.bufferedAmount > this.limits.maxBuffered)
      this.fail('OpenAI reads more slowly than it is sent to');
  }

  /** A connection that is dead at the other side would take audio for minutes. */
  private watch(): void {
    let isAlive = true;
    this.socket.on('pong', () => (isAlive = true));
    this.pings = setInterval(() => {
      if (this.isClosing) return this.fail('OpenAI ended the session');
      if (!isAlive) return this.fail('OpenAI did not answer a ping');
      isAlive = false;
      this.socket.ping();
    }, this.limits.pingMs);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (this.isOver) return;
    const event = isBinary ? undefined : parseFrame(data.toString());
    if (typeof event?.type !== 'string') return this.fail('OpenAI sent a message that makes no sense');
    if (event.type === 'error') return this.refused(toMembers(event.error));
    if (event.type === 'session.updated') {
      clearTimeout(this.timer);
      this.isBegun = true;
      this.begin();
    }
    this.listener.event(event);
  }

  /** The message of an error may have a part of the key or of what was said, so the word for the reason is enough. */
  private refused({ event_id: id, ...error }: RealtimeEvent): void {
    const eventId = typeof id === 'string' ? id : '';
    if (eventId.startsWith(OPTIONAL)) return;
    const sentence = describeReason(error);
    const refused = this.refusals.get(eventId);
    if (!refused) return this.fail(sentence);
    this.refusals.delete(eventId);
    refused(new SpeechError(sentence));
  }

  private fail(sentence: string): void {
    if (this.isOver) return;
    this.failure = new SpeechError(sentence);
    this.close();
    this.listener.lost(this.failure);
  }
}

/** @param error of an event, or of a response that failed */
export function describeReason({ code, type }: RealtimeEvent): string {
  const known = [code, type].find((value) => typeof value === 'string' && value !== '');
  const word = typeof known === 'string' ? known.replace(/[^\w .-]/g, '').slice(0, 100) : 'an error';
  return `OpenAI reported ${word}`;
}
