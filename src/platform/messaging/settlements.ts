import type { Channel, Message } from 'amqplib';
import type { Settlement } from './open-deliveries';

/**
 * Settles the deliveries of one channel. Deliveries that are acknowledged in one turn of the event loop, up to the
 * first one that is still open, share one frame: for a quorum queue, each frame is an entry of its log.
 */
export class Settlements {
  private readonly acknowledged = new Map<number, Message>();
  /** The lowest delivery tag that is not settled. A channel counts its deliveries from 1. */
  private lowest = 1;
  /** Higher tags that have frames of their own. */
  private readonly settled = new Set<number>();
  private isScheduled = false;

  constructor(private readonly channel: Channel) {}

  settle(message: Message, settlement: Settlement): void {
    const { deliveryTag } = message.fields;
    if (settlement === 'ack') {
      this.acknowledged.set(deliveryTag, message);
      if (this.isScheduled) return;
      this.isScheduled = true;
      setImmediate(() => this.acknowledge());
    } else {
      this.settled.add(deliveryTag);
      this.send(() => this.channel.nack(message, false, settlement === 'requeue'));
    }
  }

  /** Sends the acknowledgements that wait. */
  acknowledge(): void {
    this.isScheduled = false;
    let last: Message | undefined;
    for (; this.acknowledged.has(this.lowest) || this.settled.delete(this.lowest); this.lowest += 1) {
      last = this.acknowledged.get(this.lowest) ?? last;
      this.acknowledged.delete(this.lowest);
    }
    const upTo = last;
    if (upTo) this.send(() => this.channel.ack(upTo, true));
    // An earlier delivery is still open. It must not delay the later ones, which would use up the prefetch.
    for (const [tag, message] of this.acknowledged) {
      this.acknowledged.delete(tag);
      this.settled.add(tag);
      this.send(() => this.channel.ack(message));
    }
  }

  private send(frame: () => void): void {
    try {
      frame();
    } catch {
      // The channel is closed, and the broker has requeued the message.
    }
  }
}
