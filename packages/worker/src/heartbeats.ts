import { randomUUID } from 'node:crypto';
import { TYPES } from './messages';
import type { CallKey } from './protocol';
import type { Transport } from './transport';

/**
 * The number of heartbeats of one call that the broker has not confirmed. No more are sent before it confirms one.
 */
const MAX_UNCONFIRMED = 3;

interface Beat {
  call: CallKey;
  timer: NodeJS.Timeout;
  unconfirmed: number;
}

/** Renews the leases of calls. A heartbeat that fails is not repeated: the next one replaces it. */
export class Heartbeats {
  private readonly beats = new Map<string, Beat>();

  constructor(
    private readonly transport: Transport,
    private readonly exchange: string,
  ) {}

  start(call: CallKey, intervalMs: number): void {
    const beat: Beat = { call, unconfirmed: 0, timer: setInterval(() => void this.send(beat), intervalMs) };
    this.beats.set(call.conversationId, beat);
  }

  stop(conversationId: string): void {
    clearInterval(this.beats.get(conversationId)?.timer);
    this.beats.delete(conversationId);
  }

  /** Sends all heartbeats after a time without a connection, in which leases have run on. */
  sendAll(): void {
    for (const beat of this.beats.values()) void this.send(beat);
  }

  close(): void {
    for (const id of [...this.beats.keys()]) this.stop(id);
  }

  private async send(beat: Beat): Promise<void> {
    if (beat.unconfirmed === MAX_UNCONFIRMED) return;
    const { conversationId, token } = beat.call;
    beat.unconfirmed += 1;
    try {
      await this.transport.publish({
        exchange: this.exchange,
        routingKey: 'call.heartbeat',
        type: TYPES.heartbeat,
        messageId: randomUUID(),
        body: { conversation_id: conversationId, token, occurred_at: new Date().toISOString() },
      });
    } catch {
      // The transport has reported the problem.
    } finally {
      beat.unconfirmed -= 1;
    }
  }
}
