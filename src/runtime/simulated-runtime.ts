import { Logger } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import type { RuntimeOutcome } from '../config';
import {
  type ConsumeOptions,
  type IncomingDelivery,
  MessageBroker,
  type Subscription,
} from '../messaging/message-broker';
import { Topology } from '../messaging/topology';
import { settleWithin } from '../messaging/settle-within';
import { type CallStart, type Claimed, type HangUp, MESSAGE_TYPES } from '../messaging/wire';
import { CallClaims } from './call-claims';
import { HUNG_UP, STOPPED } from './call-report';
import { CallReporter } from './call-reporter';
import { Hello } from './hello';
import { Semaphore } from './semaphore';
import { outcomeBy } from './scenario';
import { SimulatedCall } from './simulated-call';

/** The maximum of calls whose claim is not answered yet. */
const PREFETCH = 100;
const MAX_CALLS = 2_000;

const DEFAULT_PACE_MS = 250;
const DEFAULT_CLAIM_TIMEOUT_MS = 5_000;
const DEFAULT_GRACE_MS = 4_000;

/** For the reports of interrupted calls. */
const REPORT_TIMEOUT_MS = 1_000;

export interface SimulatedRuntimeOptions {
  broker: MessageBroker;
  topology: Topology;
  /** Identifies it in the server's logs. */
  workerId: string;
  /** Of the server that has the recordings. Default: there are none. */
  publicUrl?: string;
  /** Milliseconds that each line of a conversation takes. */
  pace?: number;
  /** Milliseconds after which a claim that the server did not answer is sent again. */
  claimTimeoutMs?: number;
  /** Milliseconds that calls may continue after a stop. */
  graceMs?: number;
  /** How calls go, by chance. Default: the number of each decides. */
  outcomes?: Partial<Record<RuntimeOutcome, number>>;
}

/**
 * An agent runtime without telephony. It claims calls as `docs/runtime-contract.md` requires of every runtime, and
 * plays scripted conversations.
 */
export class SimulatedRuntime {
  private readonly logger = new Logger(SimulatedRuntime.name);
  private readonly stopping = new AbortController();
  private readonly abandoning = new AbortController();
  private readonly claims: CallClaims;
  private readonly semaphore = new Semaphore(MAX_CALLS);
  private readonly tracked = new Set<Promise<void>>();
  private readonly played = new Map<string, SimulatedCall>();
  private readonly hello: Hello;
  private subscription: Subscription | undefined;
  private commands: Subscription | undefined;
  private isInterrupting = false;

  constructor(private readonly options: SimulatedRuntimeOptions) {
    const { claimTimeoutMs: timeoutMs = DEFAULT_CLAIM_TIMEOUT_MS } = options;
    this.claims = new CallClaims({ ...options, timeoutMs, stopping: this.stopping.signal });
    const { broker, topology, workerId: worker_id } = options;
    this.hello = new Hello(broker, topology, () => ({
      worker_id,
      name: 'Simulated runtime',
      version: '1',
      capacity: MAX_CALLS,
      calls: this.played.size,
    }));
    // Each call adds a listener, and Node warns of a leak from the eleventh on.
    setMaxListeners(0, this.stopping.signal, this.abandoning.signal);
  }

  async start(): Promise<void> {
    await this.listen();
    const { broker, topology } = this.options;
    const queue = topology.callsQueue;
    this.subscription = await broker.consume({ queue, prefetch: PREFETCH }, (delivery) =>
      this.track(delivery),
    );
    this.logger.log(`The simulated runtime consumes calls from ${queue}`);
  }

  /** Takes no calls from the queue, only those of {@link receive}. */
  async listen(): Promise<void> {
    const { broker, topology, workerId } = this.options;
    const commands: ConsumeOptions = {
      queue: `${topology.commands}.${workerId}`,
      prefetch: PREFETCH,
      bindings: [{ exchange: topology.commands, routingKey: workerId }],
      lifetime: 'subscription',
    };
    this.commands = await broker.consume(commands, (delivery) => this.handleCommand(delivery));
    this.hello.start();
  }

  /**
   * Plays a call that reaches this runtime, until its end.
   * @returns why the server refused it; undefined: it was played
   * @throws if the server did not answer
   */
  receive(call: { to_number: string; from_number: string }): Promise<string | undefined> {
    return this.keep(this.answer(call));
  }

  /** Takes no further calls, interrupts those that do not end within the grace period, and reports on all of them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.hello.stop();
    const drained = this.drain();
    await settleWithin(this.options.graceMs ?? DEFAULT_GRACE_MS, drained);
    if (this.tracked.size > 0) this.logger.warn(`${this.tracked.size} calls did not end in time`);
    this.isInterrupting = true;
    for (const call of this.played.values()) call.interrupt(STOPPED);
    await settleWithin(REPORT_TIMEOUT_MS, drained);
    this.abandoning.abort();
    await this.commands?.cancel();
  }

  /** A command for a call that has ended, or not started, has no effect. The server repeats it after a heartbeat. */
  private handleCommand(delivery: IncomingDelivery): void {
    const { type, body } = delivery.message;
    if (type === MESSAGE_TYPES.hangUp) this.played.get((body as HangUp).conversation_id)?.interrupt(HUNG_UP);
    delivery.ack();
  }

  private async drain(): Promise<void> {
    await this.subscription?.cancel();
    await Promise.all(this.tracked);
  }

  private async track(delivery: IncomingDelivery): Promise<void> {
    const call = this.take(delivery).catch((error: unknown) => {
      this.logger.error({ err: error }, 'A call could not be taken');
      delivery.reject();
    });
    await this.keep(call);
  }

  /** A stop waits for the work. */
  private async keep<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.tracked.add(settled);
    try {
      return await work;
    } finally {
      this.tracked.delete(settled);
    }
  }

  private async take(delivery: IncomingDelivery): Promise<void> {
    // If it were requeued, it would be delivered again.
    if (delivery.message.type !== MESSAGE_TYPES.callStart) return delivery.reject();
    await this.semaphore.acquire();
    try {
      const start = delivery.message.body as CallStart;
      const claimed = await this.claim(start, delivery);
      if (claimed) await this.play(start, claimed);
    } finally {
      this.semaphore.release();
    }
  }

  /** Settles the delivery: once the call is claimed, its lease replaces the message. */
  private async claim(call: CallStart, delivery: IncomingDelivery): Promise<Claimed | undefined> {
    if (this.stopping.signal.aborted) {
      delivery.requeue();
      return undefined;
    }
    try {
      const claimed = await this.claims.claim(call);
      delivery.ack();
      return claimed;
    } catch (error) {
      const { messageId: conversationId } = delivery.message;
      this.logger.warn({ msg: 'Requeued a call that could not be claimed', conversationId, err: error });
      delivery.requeue();
      return undefined;
    }
  }

  private async answer(call: { to_number: string; from_number: string }): Promise<string | undefined> {
    const answer = await this.claims.incoming(call);
    if ('reason' in answer) return answer.reason;
    await this.play(answer.call, answer);
    return undefined;
  }

  private async play(start: CallStart, claimed: Claimed): Promise<void> {
    const { broker, topology, publicUrl, pace = DEFAULT_PACE_MS, outcomes } = this.options;
    const { conversation_id: id, heartbeat_seconds: heartbeatSeconds } = claimed;
    const reporter = new CallReporter(broker, topology, claimed, this.abandoning.signal);
    const call = new SimulatedCall(start, reporter, {
      pace,
      heartbeatSeconds,
      publicUrl,
      outcome: outcomes && outcomeBy(outcomes, Math.random()),
    });
    if (this.isInterrupting) call.interrupt(STOPPED);
    this.played.set(id, call);
    const callsBack = await call.play().finally(() => this.played.delete(id));
    if (callsBack && start.from_number !== '') void this.callBack(start);
  }

  /** The person of the call calls the number that they were called from. */
  private async callBack({ to_number: person, from_number: called }: CallStart): Promise<void> {
    if (this.stopping.signal.aborted) return;
    try {
      const refusal = await this.receive({ to_number: called, from_number: person });
      if (refusal !== undefined) this.logger.log(`A person could not call ${called} back: ${refusal}`);
    } catch (error) {
      this.logger.error({ err: error }, `A person could not call ${called} back`);
    }
  }
}
