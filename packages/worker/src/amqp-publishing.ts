import type { ConfirmChannel, Message } from 'amqplib';
import { refusedRoutingKey } from './amqp-errors';
import { type OutgoingMessage, TransportError } from './transport';

/** A confirm that has not come within this time will not come. */
const CONFIRM_MS = 10_000;

interface Pending {
  routingKey: string;
  settle: (error?: TransportError) => void;
}

/** The messages of one channel that RabbitMQ has not confirmed. */
export class AmqpPublishing {
  private readonly pending = new Set<Pending>();
  private readonly returned = new Set<string>();
  private isBlocked = false;
  private stored = 0;

  constructor(private readonly channel: ConfirmChannel) {
    channel.on('return', ({ properties }: Message) => this.returned.add(String(properties.messageId)));
  }

  /** RabbitMQ is short of memory or disk space: it confirms nothing for some time, and then everything. */
  set blocked(isBlocked: boolean) {
    this.isBlocked = isBlocked;
  }

  /** The number of messages that a queue has stored. */
  get confirms(): number {
    return this.stored;
  }

  get awaitsConfirms(): boolean {
    return this.pending.size > 0 && !this.isBlocked;
  }

  publish(message: OutgoingMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.isBlocked && message.transient) {
        return reject(new TransportError('unavailable', 'RabbitMQ accepts no messages.'));
      }
      const pending: Pending = {
        routingKey: message.routingKey,
        settle: (error) => {
          clearTimeout(timer);
          this.pending.delete(pending);
          if (error) reject(error);
          else resolve();
        },
      };
      const expire = () => {
        if (this.isBlocked) timer = setTimeout(expire, CONFIRM_MS);
        else pending.settle(new TransportError('unavailable', 'RabbitMQ did not confirm a message.'));
      };
      let timer = setTimeout(expire, CONFIRM_MS);
      this.pending.add(pending);
      try {
        this.send(message, (error: Error | null) => this.confirmed(message, pending, error));
      } catch {
        pending.settle(new TransportError('unavailable', 'The connection to RabbitMQ was lost.'));
      }
    });
  }

  /** The channel is closed. If RabbitMQ names the message that it refuses, the others are only unavailable. */
  fail(error: TransportError): void {
    const culprit = error.kind === 'refused' ? refusedRoutingKey(error) : undefined;
    for (const pending of this.pending) {
      const isInnocent = culprit !== undefined && pending.routingKey !== culprit;
      pending.settle(isInnocent ? new TransportError('unavailable', error.message) : error);
    }
  }

  private send(message: OutgoingMessage, confirmed: (error: Error | null) => void): void {
    const content = Buffer.from(JSON.stringify(message.body));
    this.channel.publish(
      message.exchange,
      message.routingKey,
      content,
      {
        type: message.type,
        messageId: message.messageId,
        contentType: 'application/json',
        persistent: !message.transient,
        // Without this, RabbitMQ would confirm, and drop, a message for which there is no queue.
        mandatory: true,
        ...(message.expirationMs !== undefined && { expiration: message.expirationMs }),
        ...(message.traceparent !== undefined && { headers: { traceparent: message.traceparent } }),
      },
      confirmed,
    );
  }

  private confirmed({ messageId, routingKey }: OutgoingMessage, pending: Pending, error: Error | null): void {
    // If the channel was closed, `fail` has the reason.
    if (error && error.message !== 'message nacked') return;
    if (this.returned.delete(messageId)) {
      pending.settle(new TransportError('missing', `RabbitMQ has no queue for ${routingKey}.`));
    } else if (error) pending.settle(new TransportError('unavailable', 'RabbitMQ did not accept a message.'));
    else {
      this.stored += 1;
      pending.settle();
    }
  }
}
