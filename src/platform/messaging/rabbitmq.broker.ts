import type { ChannelModel } from 'amqplib';
import { REPORT_LIMITS } from './message-body';
import {
  type BodyLimits,
  ConsumeOptions,
  IncomingDelivery,
  IncomingMessage,
  MessageBroker,
  OutgoingMessage,
  PublishError,
  type QueueFigures,
  Subscription,
} from './message-broker';
import { RabbitmqCanary } from './rabbitmq.canary';
import { leaveWithoutProgress, RabbitmqConnection } from './rabbitmq.connection';
import { RabbitmqConsumer } from './rabbitmq.consumer';
import { RabbitmqPublisher } from './rabbitmq.publisher';
import { readQueueFigures } from './rabbitmq.queue-figures';
import { RabbitmqReader } from './rabbitmq.reader';
import { type Declare, declareTopology } from './rabbitmq.topology';
import { SingleFlight } from './single-flight';
import { Topology } from './topology';

const OPEN_TIMEOUT_MS = 5_000;
/** A node of which no queue answers for this long is left. */
const ANSWER_SECONDS = 5;

export interface RabbitmqOptions {
  /** The addresses of the nodes of one RabbitMQ. */
  urls: string[];
  topology: Topology;
  publishTimeoutMs: number;
  /**
   * Whether this process declares the topology. A runtime does not: its user may not, and the server has done so.
   * Default: true.
   */
  declares?: boolean;
}

export class RabbitmqBroker extends MessageBroker {
  readonly kind = 'rabbitmq';
  readonly losesMessagesOnExit = false;

  private readonly declare: Declare;
  private readonly publisher: RabbitmqPublisher;
  private readonly consumerConnection: RabbitmqConnection;
  private readonly canary: RabbitmqCanary | undefined;
  private readonly consumers = new Set<RabbitmqConsumer>();
  private readonly figures: SingleFlight<QueueFigures[]>;
  private connected: ChannelModel | undefined;
  private attach: ((consumer: RabbitmqConsumer) => Promise<void>) | undefined;

  constructor({ urls, topology, publishTimeoutMs, declares = true }: RabbitmqOptions) {
    super(topology);
    this.declare = declares ? (channel) => declareTopology(channel, topology) : () => Promise.resolve();
    this.publisher = new RabbitmqPublisher(urls, topology, publishTimeoutMs, this.declare);
    // A runtime's user may not read the canary.
    if (declares) this.canary = new RabbitmqCanary(topology.canaryQueue, this.declare);
    this.figures = new SingleFlight(async () => {
      if (!this.connected) throw new PublishError('unavailable', 'RabbitMQ is not connected.');
      return readQueueFigures(this.connected, topology);
    }, publishTimeoutMs);
    this.consumerConnection = new RabbitmqConnection(
      urls,
      'consumer',
      async (model, disconnected, address) => {
        const reader = new RabbitmqReader(address, disconnected);
        this.connected = model;
        this.attach = (consumer) => consumer.attach(model, reader, disconnected);
        disconnected.addEventListener('abort', () => {
          this.attach = undefined;
          this.connected = undefined;
        });
        // A node without a majority does not answer the subscriptions below.
        this.leaveWithoutAnswers(model, disconnected);
        void this.canary?.watch(reader, disconnected);
        await Promise.all([...this.consumers].map(this.attach));
      },
    );
  }

  async open(): Promise<void> {
    const start = performance.now();
    // The publisher declares the queues that the consumers read.
    await this.publisher.open(OPEN_TIMEOUT_MS);
    await this.consumerConnection.open(Math.max(0, OPEN_TIMEOUT_MS - (performance.now() - start)));
  }

  publish(message: OutgoingMessage): Promise<void> {
    return this.publisher.publish(message);
  }

  async consume(
    options: ConsumeOptions,
    handler: (delivery: IncomingDelivery) => Promise<void> | void,
  ): Promise<Subscription> {
    const consumer = new RabbitmqConsumer(this.topology, this.declare, options, handler);
    this.consumers.add(consumer);
    await this.attach?.(consumer);
    return {
      drained: () => Promise.resolve(),
      cancel: async () => {
        this.consumers.delete(consumer);
        await consumer.cancel();
      },
    };
  }

  request(
    message: OutgoingMessage,
    timeoutMs: number,
    limits: BodyLimits = REPORT_LIMITS,
  ): Promise<IncomingMessage> {
    return this.publisher.request(message, timeoutMs, limits);
  }

  queueFigures(): Promise<QueueFigures[]> {
    return this.figures.answer();
  }

  isReceiving(): boolean {
    return [...this.consumers].every((consumer) => consumer.isReceiving);
  }

  stopConsuming(): void {
    void this.stopConsumers();
  }

  async close(): Promise<void> {
    await this.stopConsumers();
    await this.publisher.finish();
    await Promise.all([this.publisher.close(), this.consumerConnection.close()]);
  }

  /** A single queue without a majority is no reason: the others go on over this node. */
  private leaveWithoutAnswers(model: ChannelModel, disconnected: AbortSignal): void {
    const sources = () => [...(this.canary ? [this.canary] : []), ...this.consumers];
    leaveWithoutProgress(
      model,
      {
        count: () => sources().reduce((sum, { answers }) => sum + answers, 0),
        isAwaited: () => sources().some(({ isAwaited }) => isAwaited),
        seconds: ANSWER_SECONDS,
        reason: `No queue of RabbitMQ answered for ${ANSWER_SECONDS} s`,
      },
      disconnected,
    );
  }

  private async stopConsumers(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
  }
}
