import type {
  Consumer,
  ConsumerListener,
  IncomingMessage,
  OutgoingMessage,
  Transport,
  TransportListener,
} from '@parley/worker';
import { CALL_START_LIMITS } from '../../platform/messaging/message-body';
import {
  type IncomingMessage as BrokerMessage,
  MessageBroker,
  type Subscription,
} from '../../platform/messaging/message-broker';
import type { Topology } from '../../platform/messaging/topology';

const COMMANDS_PREFETCH = 100;

export interface BrokerTransportOptions {
  broker: MessageBroker;
  topology: Topology;
  /** Milliseconds after which a claim that the server did not answer is sent again. Default: as the worker does. */
  claimTimeoutMs?: number;
  /** Whether the runtime takes calls from the queue. Default: true. */
  takesCalls?: boolean;
  /** Declares the queue, as that of a worker pool, and binds it to the calls with these routing keys. */
  poolKeys?: string[];
}

/** Lets a worker use the broker of this process, which connects again and subscribes again by itself. */
export class BrokerTransport implements Transport {
  private readonly lost = new Set<string>();
  private readonly ending: Promise<void>[] = [];
  private commands: Subscription | undefined;
  private isAbandoned = false;

  constructor(private readonly options: BrokerTransportOptions) {}

  get system(): string {
    return this.options.broker.kind;
  }

  async open(listener: TransportListener): Promise<void> {
    const { broker, topology } = this.options;
    const { workerId } = listener;
    const subscription = {
      queue: `${topology.commands}.${workerId}`,
      prefetch: COMMANDS_PREFETCH,
      bindings: [{ exchange: topology.commands, routingKey: workerId }],
      lifetime: 'subscription' as const,
    };
    this.commands = await broker.consume(subscription, (delivery) => {
      listener.command(encoded(delivery.message));
      delivery.ack();
    });
    listener.connected('the broker of the server');
  }

  async publish({ transient, ...message }: OutgoingMessage): Promise<void> {
    const { conversation_id } = message.body as { conversation_id?: string };
    if (this.isAbandoned || (conversation_id !== undefined && this.lost.has(conversation_id))) return;
    await this.options.broker.publish({ ...message, ...this.exchange, persistent: transient !== true });
  }

  async request({ transient, ...message }: OutgoingMessage, timeoutMs: number): Promise<IncomingMessage> {
    const { broker, claimTimeoutMs = timeoutMs } = this.options;
    const request = { ...message, ...this.exchange, persistent: transient !== true };
    return encoded(await broker.request(request, claimTimeoutMs, CALL_START_LIMITS));
  }

  async consume(queue: string, prefetch: number, listener: ConsumerListener): Promise<Consumer> {
    const { broker, topology, takesCalls = true, poolKeys } = this.options;
    if (!takesCalls) return { cancel: () => Promise.resolve() };
    const bindings = poolKeys?.map((routingKey) => ({ exchange: topology.calls, routingKey }));
    const pool = bindings && { bindings, lifetime: 'durable' as const };
    const subscription = await broker.consume({ queue, prefetch, ...pool }, (delivery) =>
      listener.delivered({
        ...encoded(delivery.message),
        ack: () => delivery.ack(),
        requeue: () => delivery.requeue(),
        reject: () => delivery.reject(),
      }),
    );
    return {
      // The broker delivers no more from here on. The promise resolves when the open deliveries are settled.
      cancel: () => {
        this.ending.push(subscription.cancel());
        return Promise.resolve();
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.ending, this.commands?.cancel()]);
  }

  /** Sends nothing more about this call, as if its runtime had crashed. */
  lose(conversationId: string): void {
    this.lost.add(conversationId);
  }

  /** Sends nothing more. */
  abandon(): void {
    this.isAbandoned = true;
  }

  /** The worker gets the prefix of the broker only from its own settings. */
  private get exchange() {
    return { exchange: this.options.topology.events };
  }
}

const encoded = ({ type, body }: BrokerMessage): IncomingMessage => ({
  type,
  body: Buffer.from(JSON.stringify(body)),
});
