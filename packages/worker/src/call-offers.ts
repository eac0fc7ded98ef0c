import type { Claims } from './claims';
import type { Logger } from './logger';
import type { CallStart, Claimed } from './messages';
import { pause } from './pause';
import type { Problems } from './problems';
import { readCallStart } from './read-message';
import type { Delivery } from './transport';

const UNSENDABLE_PAUSE_MS = 1_000;

export interface CallOffersOptions {
  queue: string;
  claims: Claims;
  logger: Logger;
  problems: Problems;
  /** Aborted when no more calls are claimed. */
  stopping: AbortSignal;
  /** Resolves when there is a place for the call besides further deliveries. */
  hold: () => Promise<void>;
  granted: (start: CallStart, claimed: Claimed) => void;
  refused: () => void;
}

/** Claims the calls of deliveries, and settles each delivery as soon as the answer is there. */
export class CallOffers {
  constructor(private readonly options: CallOffersOptions) {}

  async take(delivery: Delivery): Promise<void> {
    const { queue, claims, logger, stopping, hold, granted, refused } = this.options;
    const start = readCallStart(delivery);
    if (typeof start === 'string') {
      logger.error(`Rejected a message of ${queue}: ${start}.`);
      return delivery.reject();
    }
    if (stopping.aborted) return delivery.requeue();
    const result = await claims.claim(start, stopping);
    if (typeof result === 'object') {
      await hold();
      delivery.ack();
      return granted(start, result);
    }
    if (result === 'unsendable') return this.giveBack(delivery);
    if (result === 'unreadable') {
      logger.error(`Rejected the call ${start.conversation_id}: the answer to its claim cannot be read.`);
      return delivery.reject();
    }
    if (result === 'refused') refused();
    // If there was no answer until the call has expired, nobody can claim it any more.
    if (result === 'unanswered' && stopping.aborted) delivery.requeue();
    else delivery.ack();
  }

  private async giveBack(delivery: Delivery): Promise<void> {
    const { problems, stopping } = this.options;
    problems.report('claims', 'RabbitMQ refuses claims: the user lacks the permission to send them.');
    await pause(UNSENDABLE_PAUSE_MS, stopping);
    delivery.requeue();
  }
}
