import {
  ConsumeOptions,
  IncomingDelivery,
  IncomingMessage,
  MessageBroker,
  OutgoingMessage,
  Subscription,
} from './message-broker';
import { RabbitmqConnection } from './rabbitmq.connection';
import { RabbitmqConsumer } from './rabbitmq.consumer';
import { RabbitmqPublisher } from './rabbitmq.publisher';
import { Topology } from './topology';

const OPEN_TIMEOUT_MS = 5_000;

export interface RabbitmqOptions {
  url: string;
  topology: Topology;
  publishTimeoutMs: number;
}

export class RabbitmqBroker extends MessageBroker {
  readonly kind = 'rabbitmq';
  readonly losesMessagesOnExit = false;

  private readonly publisher: RabbitmqPublisher;
  private readonly consumerConnection: RabbitmqConnection;
  private readonly consumers = new Set<RabbitmqConsumer>();
  private attach: ((consumer: RabbitmqConsumer) => Promise<void>) | undefined;

  constructor({ url, topology, publishTimeoutMs }: RabbitmqOptions) {
    super(topology);
    this.publisher = new RabbitmqPublisher(url, topology, publishTimeoutMs);
    this.consumerConnection = new RabbitmqConnection(url, 'consumer', async (model, disconnected) => {
      this.attach = (consumer) => consumer.attach(model, disconnected);
      disconnected.addEventListener('abort', () => (this.attach = undefined));
      await Promise.all([...this.consumers].map(this.attach));
    });
  }

  async open(): Promise<void> {
    await Promise.all([this.publisher.open(OPEN_TIMEOUT_MS), this.consumerConnection.open(OPEN_TIMEOUT_MS)]);
  }

  publish(message: OutgoingMessage): Promise<void> {
    return this.publisher.publish(message);
  }

  async consume(
    options: ConsumeOptions,
    handler: (delivery: IncomingDelivery) => Promise<void> | void,
  ): Promise<Subscription> {
    const consumer = new RabbitmqConsumer(this.topology, options, handler);
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

  request(message: OutgoingMessage, timeoutMs: number): Promise<IncomingMessage> {
    return this.publisher.request(message, timeoutMs);
  }

  stopConsuming(): void {
    void this.stopConsumers();
  }

  async close(): Promise<void> {
    await this.stopConsumers();
    await this.publisher.finish();
    await Promise.all([this.publisher.close(), this.consumerConnection.close()]);
  }

  private async stopConsumers(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
  }
}
