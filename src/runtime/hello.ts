import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { MessageBroker } from '../messaging/message-broker';
import type { Topology } from '../messaging/topology';
import { MESSAGE_TYPES, type WorkerHello } from '../messaging/wire';

const INTERVAL_MS = 15_000;

/** Tells the server that the runtime is there, until it is stopped. */
export class Hello {
  private readonly logger = new Logger(Hello.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly broker: MessageBroker,
    private readonly topology: Topology,
    private readonly hello: () => WorkerHello,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.say(), INTERVAL_MS);
    void this.say();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Is not repeated: the next one follows. */
  private async say(): Promise<void> {
    try {
      await this.broker.publish({
        exchange: this.topology.events,
        routingKey: 'worker.hello',
        type: MESSAGE_TYPES.hello,
        messageId: randomUUID(),
        body: this.hello(),
        expirationMs: INTERVAL_MS,
        persistent: false,
      });
    } catch (error) {
      this.logger.debug({ msg: 'A hello was not sent', err: error });
    }
  }
}
