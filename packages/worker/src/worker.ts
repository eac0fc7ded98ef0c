import { EventEmitter } from 'node:events';
import type { Call } from './call';
import { Deferred, within } from './deferred';
import type { CallEnd } from './ending';
import { EngineClient } from './engine-client';
import { describeThrown, IncomingRefused } from './errors';
import { type Handler, Handlers } from './handlers';
import type { IncomingCall } from './messages';
import { readOptions, type Settings, type WorkerOptions } from './options';
import type { EngineStats } from './protocol';
import { RecordingUpload } from './recording-upload';
import { KnowledgeSearch } from './search';
import { type ToolPort, Tools } from './tools';
import { Transfers } from './transfers';
import { endProcess, onSignals } from './signals';

/** The time after the drain for handlers whose signal was aborted. */
const INTERRUPTED_MS = 5_000;
/** The time for the confirms of the last reports. */
const CONFIRM_MS = 10_000;
/** The time is longer than that of a claim that is not answered. */
const CLOSE_MS = 10_000;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type WorkerState = 'connecting' | 'running' | 'draining' | 'stopped';

export interface WorkerStats extends EngineStats {
  state: WorkerState;
  /** The number of calls that take a place. */
  calls: number;
}

export interface StopReport {
  /** The number of calls that ended by themselves after the stop. */
  finished: number;
  /** The number of calls that did not end, so that the library reported their end. */
  cut: number;
}

export interface IncomingOptions {
  /** Is aborted when the caller waits no more. It changes nothing once the handler has begun. */
  signal?: AbortSignal;
  /**
   * Is called with the id of the call before its handler begins. No other call is this one: clients choose the
   * `direction` and the `external_id` of the calls that they start.
   */
  accepted?: (callId: string) => void;
}

/** A hello has no more, and is sent every 15 s. */
const MAX_PROVIDERS = 20;
const PROVIDERS_MS = 5_000;

export interface WorkerEvents {
  state: [state: WorkerState];
  call: [call: Call];
  end: [end: CallEnd, call: Call];
  /** An error that is also logged. */
  error: [error: Error, call?: Call];
}

/** Takes calls from Parley, and runs a handler for each. */
export class Worker {
  private readonly settings: Settings;
  private readonly handlers: Handlers;
  private readonly emitter = new EventEmitter();
  private readonly ended = new Deferred<void>();
  /** The timers after which calls that have not ended are interrupted. A further stop may bring it forward. */
  private readonly drainTimers: NodeJS.Timeout[] = [];
  private readonly drainOver = new Deferred<void>();
  private engine: EngineClient | undefined;
  private state: WorkerState = 'connecting';
  private stopping: Promise<StopReport> | undefined;
  private endedCalls = 0;
  private providersTimer: NodeJS.Timeout | undefined;
  private isDrained = false;

  /** @param tools default: those of the server @throws TypeError if an option is wrong */
  constructor(options: WorkerOptions, handler: Handler, tools?: ToolPort) {
    if (typeof handler !== 'function') throw new TypeError('The handler of createWorker must be a function.');
    this.settings = readOptions(options);
    const { engine, transport, isFull } = this.settings;
    this.handlers = new Handlers({
      handler,
      isFull,
      logger: this.settings.logger,
      broker: { system: transport?.system ?? 'rabbitmq', events: `${engine.prefix}.events` },
      search: new KnowledgeSearch(this.settings.api),
      recordings: new RecordingUpload(this.settings.api),
      transfers: new Transfers(this.settings.api),
      tools: tools ?? new Tools(this.settings.api),
      report: (report) => this.engine?.report(report) ?? Promise.resolve(),
      turn: (key, turn, traceparent) => this.engine?.turn(key, turn, traceparent),
      placed: (conversationId, isTaken) => this.engine?.place(conversationId, isTaken),
      began: (call) => this.emit('call', call),
      ended: (end, call) => {
        this.endedCalls += 1;
        this.emit('end', end, call);
      },
      failed: (error, call) => this.emit('error', error, call),
    });
    this.ended.promise.catch(() => undefined);
  }

  /**
   * Takes calls until the worker is stopped.
   * @throws before the first success, an error that does not pass by itself, such as a wrong password
   */
  async run(): Promise<void> {
    if (this.engine || this.stopping) throw new Error('A worker runs once. Create another one.');
    const { engine, transport, logger, handleSignals } = this.settings;
    const ignoreSignals = handleSignals ? onSignals(() => void this.stopBySignal()) : () => undefined;
    try {
      const started = new EngineClient(
        engine,
        transport,
        {
          call: (start, key, grant) => void this.handlers.begin(start, key, grant, engine.queue),
          hangUp: (conversationId) => this.handlers.hangUp(conversationId),
          connection: (isUp) => this.setConnected(isUp),
          error: (error) => this.emit('error', error),
          failed: (error) => this.fail(error),
        },
        logger,
      );
      this.engine = started;
      this.showProviders(started);
      await Promise.race([this.firstSuccess(started), this.ended.promise]);
      await this.ended.promise;
    } finally {
      clearInterval(this.providersTimer);
      ignoreSignals();
    }
  }

  /** The engine may run in a thread of its own, so it is told before each hello. */
  private showProviders(engine: EngineClient): void {
    const { providers, logger } = this.settings;
    if (!providers) return;
    // A timer that throws would end the process, and its calls.
    const show = () => {
      try {
        engine.showProviders(providers().slice(0, MAX_PROVIDERS));
      } catch (error) {
        logger.error(`The option "providers" failed: ${describeThrown(error)}`);
      }
    };
    show();
    this.providersTimer = setInterval(show, PROVIDERS_MS);
    this.providersTimer.unref();
  }

  /**
   * Takes no more calls, lets its calls end, and disconnects. It may be called again, with a shorter time.
   * @param seconds how long calls may continue. Default: the option `drainSeconds`
   */
  stop({ seconds = this.settings.drainSeconds }: { seconds?: number } = {}): Promise<StopReport> {
    if (!(seconds >= 0)) throw new TypeError('The seconds of stop must be a number from 0.');
    if (!this.isDrained) {
      const over = () => this.drainOver.resolve();
      this.drainTimers.push(setTimeout(over, Math.min(seconds * 1_000, LONGEST_TIMER_MS)));
    }
    this.stopping ??= this.drain();
    return this.stopping;
  }

  /**
   * Runs the handler for a call that has reached the worker. Resolves when it has ended.
   * @throws IncomingRefused if the call must not be answered
   */
  async incoming(call: IncomingCall, { signal, accepted }: IncomingOptions = {}): Promise<CallEnd> {
    if (this.stopping) throw new IncomingRefused('stopping');
    if (!this.engine) throw new Error('Call run() before incoming().');
    const answer = await this.engine.incoming(call, signal);
    if ('reason' in answer) throw new IncomingRefused(answer.reason, answer.workerId);
    accepted?.(answer.start.conversation_id);
    return this.handlers.begin(answer.start, answer.key, answer.grant);
  }

  /** The `worker_id` in its messages. */
  get id(): string {
    return this.settings.engine.workerId;
  }

  stats(): WorkerStats {
    const { claimed = 0, refused = 0, unconfirmed = 0 } = this.engine?.stats ?? {};
    return { state: this.state, calls: this.handlers.size, claimed, refused, unconfirmed };
  }

  on<Name extends keyof WorkerEvents>(
    event: Name,
    listener: (...parameters: WorkerEvents[Name]) => void,
  ): this {
    this.emitter.on(event, listener as (...parameters: unknown[]) => void);
    return this;
  }

  off<Name extends keyof WorkerEvents>(
    event: Name,
    listener: (...parameters: WorkerEvents[Name]) => void,
  ): this {
    this.emitter.off(event, listener as (...parameters: unknown[]) => void);
    return this;
  }

  private async firstSuccess(engine: EngineClient): Promise<void> {
    try {
      await engine.started();
    } catch (error) {
      // The thread, if there is one, has nothing more to do.
      await engine.close(0, CLOSE_MS);
      this.setState('stopped');
      this.stopping ??= Promise.resolve({ finished: 0, cut: 0 });
      throw error;
    }
    if (!this.stopping) this.setState('running');
  }

  /** A handler that was cut may have timers or connections, which would keep the process. */
  private async stopBySignal(): Promise<void> {
    const { cut } = await this.stop();
    if (cut > 0) endProcess();
  }

  private async drain(): Promise<StopReport> {
    const { engine, handlers } = this;
    this.setState('draining');
    const endedBefore = this.endedCalls;
    const over = engine ? engine.drain().then(() => handlers.idle()) : Promise.resolve();
    await Promise.race([over, this.drainOver.promise]);
    this.isDrained = true;
    for (const timer of this.drainTimers) clearTimeout(timer);
    handlers.interrupt('stopping');
    await within(INTERRUPTED_MS, over);
    const cut = await handlers.cut();
    await engine?.close(CONFIRM_MS, CLOSE_MS);
    this.setState('stopped');
    this.ended.resolve();
    return { finished: this.endedCalls - endedBefore - cut, cut };
  }

  /** The engine has ended, and with it every call. */
  private fail(error: Error): void {
    this.settings.logger.error(error.message);
    this.emit('error', error);
    this.handlers.interrupt('stopping');
    this.setState('stopped');
    this.ended.reject(error);
  }

  private setConnected(isUp: boolean): void {
    if (!this.stopping) this.setState(isUp ? 'running' : 'connecting');
  }

  private setState(state: WorkerState): void {
    if (this.state === state) return;
    this.state = state;
    this.emit('state', state);
  }

  /** A listener that throws must not disturb the worker, and an error needs no listener. */
  private emit<Name extends keyof WorkerEvents>(event: Name, ...parameters: WorkerEvents[Name]): void {
    if (this.emitter.listenerCount(event) === 0) return;
    try {
      this.emitter.emit(event, ...parameters);
    } catch (error) {
      this.settings.logger.error(`A listener of "${event}" failed: ${describeThrown(error)}`);
    }
  }
}

/** Takes calls from Parley, and runs the handler for each, after `run()`. */
export const createWorker = (options: WorkerOptions, handler: Handler) => new Worker(options, handler);
