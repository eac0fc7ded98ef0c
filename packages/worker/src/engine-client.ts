import { Deferred, within } from './deferred';
import { type EngineLink, startEngineThread, startLocalEngine } from './engine-link';
import type { Logger } from './logger';
import type { CallStart, IncomingCall, ProviderOfWorker, TranscriptTurn } from './messages';
import type { EngineSettings } from './options';
import type { CallKey, EngineStats, FromEngine, Grant, IncomingAnswer, Report } from './protocol';
import type { Transport } from './transport';

export interface EngineListener {
  call(start: CallStart, key: CallKey, grant: Grant): void;
  hangUp(conversationId: string): void;
  connection(isUp: boolean): void;
  /** Called when the thread of the engine ended by itself. */
  failed(error: Error): void;
  error(error: Error): void;
}

/** The client of the engine: it turns the engine's messages into calls and promises. */
export class EngineClient {
  stats: EngineStats = { claimed: 0, refused: 0, unconfirmed: 0 };
  private readonly link: EngineLink;
  private readonly running = new Deferred<void>();
  private readonly drained = new Deferred<void>();
  private readonly closed = new Deferred<void>();
  private readonly kept = new Map<number, () => void>();
  private readonly asked = new Map<number, (answer: IncomingAnswer) => void>();
  private lastId = 0;
  private isClosed = false;

  constructor(
    settings: EngineSettings,
    transport: Transport | undefined,
    private readonly listener: EngineListener,
    private readonly logger: Logger,
  ) {
    this.running.promise.catch(() => undefined);
    const receive = (message: FromEngine) => this.receive(message);
    this.link = transport
      ? startLocalEngine(settings, transport, receive)
      : startEngineThread(settings, receive, (error) => this.fail(error));
  }

  /** Resolves with the first success. @throws if there can be none */
  async started(): Promise<void> {
    await this.running.promise;
  }

  /** Resolves when the report is kept. */
  report(report: Report): Promise<void> {
    if (this.isClosed) {
      this.logger.error(
        `A report of the call ${report.call.conversationId} came after the worker had stopped.`,
      );
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const id = (this.lastId += 1);
      this.kept.set(id, resolve);
      this.link.post({ kind: 'report', id, report });
    });
  }

  turn(call: CallKey, turn: TranscriptTurn, traceparent: string | undefined): void {
    this.link.post({ kind: 'turn', call, turn, traceparent });
  }

  /** The call goes on, and takes a place from now on, or none. */
  place(conversationId: string, isTaken: boolean): void {
    this.link.post({ kind: 'place', conversationId, isTaken });
  }

  /** The next hello says so. */
  showProviders(providers: ProviderOfWorker[]): void {
    this.link.post({ kind: 'providers', providers });
  }

  async incoming(call: IncomingCall, signal?: AbortSignal): Promise<IncomingAnswer> {
    if (this.isClosed) return { reason: 'stopping' };
    if (signal?.aborted) return { reason: 'no_answer' };
    const id = (this.lastId += 1);
    const leave = () => this.link.post({ kind: 'leave', id });
    signal?.addEventListener('abort', leave);
    try {
      return await new Promise((resolve) => {
        this.asked.set(id, resolve);
        this.link.post({ kind: 'incoming', id, call });
      });
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Resolves when there will be no further call. */
  async drain(): Promise<void> {
    this.link.post({ kind: 'drain' });
    await this.drained.promise;
  }

  /** Sends the remaining reports for up to `waitMs`. Ends the thread if it does not close `moreMs` later. */
  async close(waitMs: number, moreMs: number): Promise<void> {
    this.link.post({ kind: 'close', waitMs });
    await within(waitMs + moreMs, this.closed.promise);
    this.end();
    await this.link.end();
  }

  private receive(message: FromEngine): void {
    switch (message.kind) {
      case 'running':
        return this.running.resolve();
      case 'refused':
        return this.running.reject(new Error(message.message));
      case 'connection':
        return this.listener.connection(message.isUp);
      case 'call':
        return this.listener.call(message.start, message.key, message.grant);
      case 'hangup':
        return this.listener.hangUp(message.conversationId);
      case 'kept':
        return settle(this.kept, message.id, undefined);
      case 'incoming':
        return settle(this.asked, message.id, message.answer);
      case 'stats':
        this.stats = message.stats;
        return;
      case 'log':
        this.logger[message.level](message.message, message.details);
        if (message.level === 'error') this.listener.error(new Error(message.message));
        return;
      case 'ping':
        return this.link.post({ kind: 'pong' });
      case 'drained':
        return this.drained.resolve();
      case 'closed':
        return this.closed.resolve();
    }
  }

  private fail(error: Error): void {
    this.running.reject(error);
    this.listener.failed(error);
    this.end();
  }

  /** No pending request will be answered any more. */
  private end(): void {
    this.isClosed = true;
    this.drained.resolve();
    this.closed.resolve();
    for (const id of this.kept.keys()) settle(this.kept, id, undefined);
    for (const id of this.asked.keys()) settle(this.asked, id, { reason: 'stopping' });
  }
}

function settle<Value>(waiting: Map<number, (value: Value) => void>, id: number, value: Value): void {
  waiting.get(id)?.(value);
  waiting.delete(id);
}
