import { Logger } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
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
import { Places } from './places';
import { SimulatedCall } from './simulated-call';

/** How many calls wait for the answer to their claim at once. */
const PREFETCH = 100;
const CALLS_AT_ONCE = 2_000;

const USUAL_PACE_MS = 250;
const USUAL_CLAIM_TIMEOUT_MS = 5_000;
const USUAL_GRACE_MS = 4_000;

/** How long the reports of calls that were cut short may take. */
const REPORT_MS = 1_000;

export interface SimulatedRuntimeOptions {
  broker: MessageBroker;
  topology: Topology;
  /** Names it in the server's logs. */
  workerId: string;
  /** Milliseconds that each line of a conversation takes. */
  pace?: number;
  /** How many milliseconds the server has to answer a claim before it is asked again. */
  claimTimeoutMs?: number;
  /** How many milliseconds calls may go on for after a stop. */
  graceMs?: number;
}

/**
 * An agent runtime without telephony: it takes calls as `docs/runtime-contract.md` says, like anybody's worker, and
 * plays scripted conversations.
 */
export class SimulatedRuntime {
  private readonly logger = new Logger(SimulatedRuntime.name);
  private readonly stopping = new AbortController();
  private readonly givingUp = new AbortController();
  private readonly claims: CallClaims;
  private readonly places = new Places(CALLS_AT_ONCE);
  private readonly underWay = new Set<Promise<void>>();
  private readonly played = new Map<string, SimulatedCall>();
  private subscription: Subscription | undefined;
  private commands: Subscription | undefined;
  private isCut = false;

  constructor(private readonly options: SimulatedRuntimeOptions) {
    const { claimTimeoutMs: timeoutMs = USUAL_CLAIM_TIMEOUT_MS } = options;
    this.claims = new CallClaims({ ...options, timeoutMs, stopping: this.stopping.signal });
    // Each call listens; else Node warns of a leak from the eleventh on.
    setMaxListeners(0, this.stopping.signal, this.givingUp.signal);
  }

  async start(): Promise<void> {
    const { broker, topology, workerId } = this.options;
    const commands: ConsumeOptions = {
      queue: `${topology.commands}.${workerId}`,
      prefetch: PREFETCH,
      bindings: [{ exchange: topology.commands, routingKey: workerId }],
      lifetime: 'subscription',
    };
    this.commands = await broker.consume(commands, (delivery) => this.obey(delivery));
    const queue = topology.callsQueue;
    this.subscription = await broker.consume({ queue, prefetch: PREFETCH }, (delivery) =>
      this.track(delivery),
    );
    this.logger.log(`The simulated runtime takes calls from ${queue}`);
  }

  /** Takes no further calls, lets those under way end, cuts what goes on for too long, and reports on all of them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const drained = this.drain();
    await settleWithin(this.options.graceMs ?? USUAL_GRACE_MS, drained);
    if (this.underWay.size > 0) this.logger.warn(`${this.underWay.size} calls did not end in time`);
    this.isCut = true;
    for (const call of this.played.values()) call.cutShort(STOPPED);
    await settleWithin(REPORT_MS, drained);
    this.givingUp.abort();
    await this.commands?.cancel();
  }

  /** A command for a call that is over, or not yet begun, has no effect; the server repeats it with a heartbeat. */
  private obey(delivery: IncomingDelivery): void {
    const { type, body } = delivery.message;
    if (type === MESSAGE_TYPES.hangUp) this.played.get((body as HangUp).conversation_id)?.cutShort(HUNG_UP);
    delivery.ack();
  }

  private async drain(): Promise<void> {
    await this.subscription?.cancel();
    await Promise.all(this.underWay);
  }

  private async track(delivery: IncomingDelivery): Promise<void> {
    const call = this.take(delivery).catch((error: unknown) => {
      this.logger.error({ err: error }, 'A call could not be taken');
      delivery.reject();
    });
    this.underWay.add(call);
    await call;
    this.underWay.delete(call);
  }

  private async take(delivery: IncomingDelivery): Promise<void> {
    // Given back, it would only come again.
    if (delivery.message.type !== MESSAGE_TYPES.callStart) return delivery.reject();
    await this.places.take();
    try {
      const call = delivery.message.body as CallStart;
      const claimed = await this.claim(call, delivery);
      if (claimed) await this.play(call, claimed);
    } finally {
      this.places.giveBack();
    }
  }

  /** Gives the delivery its verdict: from here on the server's row stands for the call, no longer the message. */
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
      this.logger.warn({ msg: 'Gave back a call that could not be claimed', conversationId, err: error });
      delivery.requeue();
      return undefined;
    }
  }

  private async play(start: CallStart, claimed: Claimed): Promise<void> {
    const { broker, topology, pace = USUAL_PACE_MS } = this.options;
    const { conversation_id: id, heartbeat_seconds: heartbeatSeconds } = claimed;
    const reporter = new CallReporter(broker, topology, claimed, this.givingUp.signal);
    const call = new SimulatedCall(start, reporter, { pace, heartbeatSeconds });
    if (this.isCut) call.cutShort(STOPPED);
    this.played.set(id, call);
    await call.play().finally(() => this.played.delete(id));
  }
}
