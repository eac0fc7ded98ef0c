import { setMaxListeners } from 'node:events';
import { CallOffers } from './call-offers';
import { Claims } from './claims';
import { EventLoopWatch } from './event-loop-watch';
import { Gate } from './gate';
import { Heartbeats } from './heartbeats';
import { Hello } from './hello';
import { IncomingCalls } from './incoming-calls';
import { Intake } from './intake';
import type { Logger } from './logger';
import { type Claimed, type IncomingCall, TYPES } from './messages';
import type { EngineSettings } from './options';
import type { Outbox } from './outbox';
import { Problems } from './problems';
import type { CallKey, FromEngine, Grant, IncomingAnswer, ToEngine } from './protocol';
import { readHangUp } from './read-message';
import { Reports } from './reports';
import { type Transport, type TransportFailure } from './transport';

const ADOPTION_MS = 30_000;
/** Calls beyond twice the capacity that a worker takes, so that it can refuse them at once. */
const REFUSED_AT_ONCE = 32;
/** The interval if the server does not name one. */
const DEFAULT_HEARTBEAT_SECONDS = 10;
const DEFAULT_LEASE_SECONDS = 30;

export interface EngineParts {
  transport: Transport;
  outbox: Outbox;
  /** Sends a message to the worker. */
  post: (message: FromEngine) => void;
  logger: Logger;
  /** Whether the handlers run in another thread. */
  watchesEventLoop: boolean;
}

/**
 * The conversation with the server, for the handlers of one worker. It has three states:
 *
 *     starting --hello confirmed and queue subscribed--> running --drain--> draining --close--> closed
 *        |
 *        +--refused: the password, the virtual host or a permission is wrong--> closed
 *
 * A lost connection changes no state: the transport connects again, the intake subscribes again, and claims and reports
 * that were not answered are repeated. `running` includes times without a connection.
 */
export class Engine {
  private readonly connection = new Gate();
  private readonly problems: Problems;
  private readonly reports: Reports;
  private readonly heartbeats: Heartbeats;
  private readonly intake: Intake;
  private readonly incomingCalls: IncomingCalls;
  private readonly hello: Hello;
  private readonly watch: EventLoopWatch | undefined;
  private readonly stopping = new AbortController();
  /** The calls whose handlers run, and whether they take a place. */
  private readonly calls = new Map<string, boolean>();
  /** Aborted when the caller of an incoming call has left, by the id of the message about it. */
  private readonly callers = new Map<number, AbortController>();
  private readonly stats = { claimed: 0, refused: 0 };
  private adoption: NodeJS.Timeout | undefined;
  private closing: Promise<void> | undefined;
  private isRunning = false;
  private statsChanged = false;

  constructor(
    private readonly settings: EngineSettings,
    private readonly parts: EngineParts,
  ) {
    const { transport, outbox, logger } = parts;
    const { connection } = this;
    const exchange = `${settings.prefix}.events`;
    setMaxListeners(0, this.stopping.signal);
    this.problems = new Problems(logger);
    const claims = new Claims({ ...settings, transport, connection, exchange });
    this.heartbeats = new Heartbeats(transport, exchange);
    this.reports = new Reports({
      ...{ transport, connection, outbox, exchange, logger },
      ended: (conversationId) => this.heartbeats.stop(conversationId),
      stuck: (message) => this.problems.report('reports', message),
      changed: () => this.changed(),
    });
    this.hello = new Hello({
      ...settings,
      transport,
      exchange,
      calls: () => [...this.calls.values()].filter((takesPlace) => takesPlace).length,
    });
    const { signal: stopping } = this.stopping;
    const offers = new CallOffers({
      ...{ queue: settings.queue, claims, logger, problems: this.problems, stopping },
      hold: () => this.intake.hold(),
      granted: (start, claimed) =>
        this.post({ kind: 'call', start, key: this.begin(claimed), grant: toGrant(claimed) }),
      refused: () => this.refused(),
    });
    this.intake = new Intake({
      ...{ transport, connection, queue: settings.queue },
      capacity: settings.refusesWhenFull ? 2 * settings.capacity + REFUSED_AT_ONCE : settings.capacity,
      take: (delivery) => offers.take(delivery),
      subscribed: () => this.subscribed(),
      failed: (kind, message) => this.failed('queue', kind, message),
    });
    this.incomingCalls = new IncomingCalls({
      ...{ claims, intake: this.intake, stopping },
      late: (accepted) => this.failLate(accepted),
    });
    if (parts.watchesEventLoop) {
      this.watch = new EventLoopWatch({
        ping: () => this.post({ kind: 'ping' }),
        blocked: (isBlocked) => this.intake.pause(isBlocked),
        logger,
      });
    }
  }

  async start(): Promise<void> {
    const { transport, logger } = this.parts;
    const { prefix, workerId } = this.settings;
    try {
      await transport.open({
        prefix,
        workerId,
        connected: (where) => {
          this.problems.solved('connection');
          logger.info(`Connected to ${where}.`);
          this.connection.open();
          this.heartbeats.sendAll();
          if (this.isRunning) this.post({ kind: 'connection', isUp: true });
        },
        disconnected: () => {
          this.connection.close();
          this.post({ kind: 'connection', isUp: false });
        },
        problem: (sentence) => this.problems.report('connection', sentence),
        command: ({ type, body }) => this.command(type, body),
      });
      await this.hello.sayFirst(this.connection, this.problems, this.stopping.signal);
    } catch (error) {
      return this.refuse((error as Error).message);
    }
    if (this.stopping.signal.aborted) return;
    this.adopt();
    this.adoption = setInterval(() => this.adopt(), ADOPTION_MS);
    this.hello.start();
    this.watch?.start();
    this.intake.start();
  }

  receive(message: ToEngine): void {
    switch (message.kind) {
      case 'report':
        this.reports.add(message.report);
        this.post({ kind: 'kept', id: message.id });
        if (message.report.end) this.handled(message.report.call);
        break;
      case 'turn':
        this.reports.addTurn(message.call, message.turn, message.traceparent);
        break;
      case 'incoming':
        void this.incoming(message.id, message.call).then((answer) =>
          this.post({ kind: 'incoming', id: message.id, answer }),
        );
        break;
      case 'place':
        this.place(message.conversationId, message.isTaken);
        break;
      case 'providers':
        this.hello.providers = message.providers;
        break;
      case 'leave':
        this.callers.get(message.id)?.abort();
        break;
      case 'pong':
        this.watch?.pong();
        break;
      case 'drain':
        void this.drain();
        break;
      case 'close':
        void this.close(message.waitMs);
        break;
    }
  }

  private subscribed(): void {
    if (this.problems.solved('queue')) this.parts.logger.info(`Takes calls from ${this.settings.queue}.`);
    if (this.isRunning) return;
    this.isRunning = true;
    this.post({ kind: 'running' });
  }

  private failed(subject: string, kind: TransportFailure, message: string): void {
    if (kind === 'refused' && !this.isRunning) this.refuse(message);
    else if (this.connection.isOpen) this.problems.report(subject, message);
  }

  private refuse(message: string): void {
    this.post({ kind: 'refused', message });
    void this.close(0);
  }

  private adopt(): void {
    this.reports.resend(this.parts.outbox.adopt());
  }

  private begin({ conversation_id, token, heartbeat_seconds }: Claimed): CallKey {
    const key = { conversationId: conversation_id, token };
    this.stats.claimed += 1;
    this.calls.set(conversation_id, true);
    this.heartbeats.start(
      key,
      (heartbeat_seconds > 0 ? heartbeat_seconds : DEFAULT_HEARTBEAT_SECONDS) * 1_000,
    );
    this.changed();
    return key;
  }

  private async incoming(id: number, call: IncomingCall): Promise<IncomingAnswer> {
    const caller = new AbortController();
    this.callers.set(id, caller);
    const answer = await this.incomingCalls.take(call, caller.signal);
    this.callers.delete(id);
    if ('reason' in answer) return answer;
    return { start: answer.call, key: this.begin(answer), grant: toGrant(answer) };
  }

  private refused(): void {
    this.stats.refused += 1;
    this.changed();
  }

  /** The caller has gone. */
  private failLate({ conversation_id, token }: Claimed): void {
    const occurred_at = new Date().toISOString();
    this.reports.add({
      call: { conversationId: conversation_id, token },
      type: TYPES.failed,
      fields: { occurred_at, disconnect_reason: 'cancelled', disconnected_by: 'system' },
    });
  }

  private handled({ conversationId }: CallKey): void {
    if (this.calls.get(conversationId)) this.intake.release();
    this.calls.delete(conversationId);
  }

  private place(conversationId: string, isTaken: boolean): void {
    if (!this.calls.has(conversationId)) return;
    this.calls.set(conversationId, isTaken);
    if (isTaken) void this.intake.hold();
    else this.intake.release();
  }

  private command(type: string, body: Uint8Array): void {
    const conversationId = readHangUp(type, body);
    if (conversationId !== undefined && this.calls.has(conversationId)) {
      this.post({ kind: 'hangup', conversationId });
    }
  }

  private async drain(): Promise<void> {
    this.stopping.abort();
    await this.intake.stop();
    this.post({ kind: 'drained' });
  }

  private close(waitMs: number): Promise<void> {
    this.closing ??= this.closeOnce(waitMs);
    return this.closing;
  }

  private async closeOnce(waitMs: number): Promise<void> {
    const { transport, outbox, logger } = this.parts;
    this.stopping.abort();
    await this.intake.stop();
    this.hello.stop();
    this.watch?.stop();
    clearInterval(this.adoption);
    await this.reports.settled(waitMs);
    const left = this.reports.unconfirmed;
    if (left > 0) {
      const fate = this.settings.outbox === undefined ? 'are lost' : 'stay in the outbox';
      logger.warn(`${left} reports were not confirmed and ${fate}.`);
    }
    this.reports.close();
    this.heartbeats.close();
    await transport.close();
    outbox.close();
    this.post({ kind: 'closed' });
  }

  private changed(): void {
    if (this.statsChanged) return;
    this.statsChanged = true;
    queueMicrotask(() => this.postStats());
  }

  /** Figures that have changed precede the message that they belong to. */
  private post(message: FromEngine): void {
    this.postStats();
    this.parts.post(message);
  }

  private postStats(): void {
    if (!this.statsChanged) return;
    this.statsChanged = false;
    this.parts.post({ kind: 'stats', stats: { ...this.stats, unconfirmed: this.reports.unconfirmed } });
  }
}

const toGrant = ({ api, lease_seconds: seconds }: Claimed): Grant => ({
  api,
  leaseSeconds: seconds > 0 ? seconds : DEFAULT_LEASE_SECONDS,
});
