import { randomUUID } from 'node:crypto';
import type {
  IncomingDelivery,
  IncomingMessage,
  Subscription,
} from '../../src/platform/messaging/message-broker';
import {
  type CallEnded,
  type CallFailed,
  type CallJoinable,
  type CallStart,
  type Claimed,
  type ClaimRefused,
  MESSAGE_TYPES,
} from '../../src/platform/messaging/wire';
import type { TestParley } from './parley';
import { until } from './until';

const CLAIM_TIMEOUT_MS = 5_000;

/** Fields of a report, also with values that the contract does not have. */
type Changes<Report> = { [Field in keyof Report]?: unknown };

/** The worker id of a test's worker. */
export const WORKER_ID = 'test worker';

/** A call start that was delivered to a test's worker. */
export class OfferedCall {
  private isSettled = false;

  constructor(
    private readonly parley: Pick<TestParley, 'broker' | 'topology'>,
    readonly delivery: IncomingDelivery,
  ) {}

  get settled(): boolean {
    return this.isSettled;
  }

  get message(): IncomingMessage {
    return this.delivery.message;
  }

  get start(): CallStart {
    return this.message.body as CallStart;
  }

  /** Claims the call and acknowledges its delivery after any answer. */
  async claim(
    claimId = randomUUID(),
    workerId = WORKER_ID,
  ): Promise<{ type: string; body: Claimed & ClaimRefused }> {
    const { conversation_id } = this.start;
    const { type, body } = await this.parley.broker.request(
      {
        exchange: '',
        routingKey: this.parley.topology.claimsQueue,
        type: MESSAGE_TYPES.claim,
        messageId: randomUUID(),
        persistent: false,
        body: { conversation_id, claim_id: claimId, worker_id: workerId },
      },
      CLAIM_TIMEOUT_MS,
    );
    this.settle();
    return { type, body: body as Claimed & ClaimRefused };
  }

  /** Acknowledges the delivery, unless it is acknowledged. */
  settle(): void {
    if (!this.isSettled) this.delivery.ack();
    this.isSettled = true;
  }

  /** Claims the call, which must be granted. */
  async take(): Promise<TakenCall> {
    const claimId = randomUUID();
    const { type, body } = await this.claim(claimId);
    expect(type).toBe(MESSAGE_TYPES.claimed);
    return new TakenCall(this.parley, this.start.conversation_id, body.token, { ...body, claimId });
  }
}

/** A call that a test's worker has claimed. */
export class TakenCall {
  constructor(
    private readonly parley: Pick<TestParley, 'broker' | 'topology'>,
    readonly conversationId: string,
    readonly token: string,
    private readonly claimed?: Claimed & { claimId: string },
  ) {}

  /** The credential of the call. */
  get api(): Claimed['api'] {
    return (this.claimed as Claimed).api;
  }

  get claimId(): string {
    return (this.claimed as { claimId: string }).claimId;
  }

  joinable(fields: Partial<Pick<CallJoinable, 'url' | 'expires_at'>> = {}): Promise<void> {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const url = `wss://voice.example.com/voice/${randomUUID()}`;
    return this.report(MESSAGE_TYPES.joinable, { url, expires_at, ...fields });
  }

  connected(): Promise<void> {
    return this.report(MESSAGE_TYPES.connected, {});
  }

  heartbeat(): Promise<void> {
    return this.report(MESSAGE_TYPES.heartbeat, {});
  }

  ended(event: Changes<CallEnded> = {}): Promise<void> {
    const now = new Date().toISOString();
    const defaults = { connected_at: now, disconnect_reason: 'user_hangup', disconnected_by: 'user' };
    return this.report(MESSAGE_TYPES.ended, { ...defaults, ...event });
  }

  failed(event: Changes<CallFailed> = {}): Promise<void> {
    return this.report(MESSAGE_TYPES.failed, { disconnect_reason: 'dial_busy', ...event });
  }

  transcript(turns: object[]): Promise<void> {
    return this.report(MESSAGE_TYPES.transcript, { turns });
  }

  async report(type: string, event: object): Promise<void> {
    await this.parley.broker.publish({
      exchange: this.parley.topology.events,
      routingKey: type.replace(/\.v\d+$/, ''),
      type,
      messageId: randomUUID(),
      body: {
        conversation_id: this.conversationId,
        token: this.token,
        occurred_at: new Date().toISOString(),
        ...event,
      },
    });
  }
}

/** A worker that a test controls. */
export class TestWorker {
  private constructor(
    private readonly subscription: Subscription,
    private readonly offers: OfferedCall[],
  ) {}

  static async start(
    parley: TestParley,
    pool: { queue?: string; bindings?: { exchange: string; routingKey: string }[] } = {},
  ): Promise<TestWorker> {
    const offers: OfferedCall[] = [];
    const subscription = await parley.broker.consume(
      { queue: pool.queue ?? parley.topology.callsQueue, prefetch: 1_000, bindings: pool.bindings },
      (delivery) => {
        offers.push(new OfferedCall(parley, delivery));
      },
    );
    return new TestWorker(subscription, offers);
  }

  /** Waits for the offer of this call. */
  async findOffer(conversationId: string): Promise<OfferedCall> {
    return until(() => this.findOffers(conversationId)[0]);
  }

  /** Waits for a new offer of one of these agents; the request of its call may not be answered yet. */
  async offerTo(...agentIds: string[]): Promise<OfferedCall> {
    return until(() =>
      this.offers.find(({ start, settled }) => agentIds.includes(start.agent_id) && !settled),
    );
  }

  /** All offers of this call so far; a message may be delivered more than once. */
  findOffers(conversationId: string): OfferedCall[] {
    return this.offers.filter(({ start }) => start.conversation_id === conversationId);
  }

  stop(): Promise<void> {
    this.offers.forEach((offer) => offer.settle());
    return this.subscription.cancel();
  }
}
