import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { DeliveryJob } from './delivery-job';
import {
  CLAIM_DELIVERY,
  type ClaimedDelivery,
  RELEASE_ATTEMPT,
  RESCHEDULE,
  SETTLE_ATTEMPT,
} from './webhook-attempt.sql';
import type { ReceiverAnswer } from './receiver-answer';
import type { Verdict } from './verdict';
import type { DeliveryStatus } from './webhook-delivery.entity';

export type { ClaimedDelivery };

interface AttemptResult {
  verdict: Verdict;
  statusCode: number | null;
  error: string | null;
  answer: ReceiverAnswer | null;
  durationMs: number;
  /** The delay before the next attempt, if there is one. */
  delaySeconds: number;
}

/**
 * Starts and settles attempts, each under a lease of its delivery. Only the latest attempt of a delivery changes
 * it.
 */
@Injectable()
export class WebhookAttemptsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Starts an attempt of the oldest pending delivery.
   * @returns null if none is pending, or that one cannot be sent now
   */
  async claim({ workspaceId, orderingKey }: DeliveryJob): Promise<ClaimedDelivery | null> {
    const [delivery] = await this.database.query(CLAIM_DELIVERY, { workspaceId, orderingKey });
    return delivery ?? null;
  }

  /** @returns the status of the delivery; null if a later attempt decides it */
  async settle(
    { workspaceId, id, attempts, series, dataHash }: ClaimedDelivery,
    { answer, ...result }: AttemptResult,
  ): Promise<DeliveryStatus | null> {
    const attempt = { workspaceId, deliveryId: id, attempt: attempts, series, dataHash };
    const [settled] = await this.database.query(SETTLE_ATTEMPT, {
      ...attempt,
      ...result,
      answerHeaders: answer && JSON.stringify(answer.headers),
      answerBody: answer?.body ?? null,
    });
    return settled?.status ?? null;
  }

  /** Ends an attempt whose result is not known. */
  async release({ workspaceId, id, attempts }: ClaimedDelivery, error: string): Promise<void> {
    await this.database.query(RELEASE_ATTEMPT, { workspaceId, deliveryId: id, attempt: attempts, error });
  }

  /** Adds the job again if a delivery is pending, for the time at which it can be sent. */
  async reschedule({ workspaceId, orderingKey }: DeliveryJob, minimumSeconds: number): Promise<void> {
    await this.database.query(RESCHEDULE, { workspaceId, orderingKey, minimumSeconds });
  }
}
