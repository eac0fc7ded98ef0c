import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { DeliveryJob, EndpointJob } from './delivery-job';
import {
  CLAIM_DELIVERY,
  CLAIM_PROBE,
  type ClaimedDelivery,
  RELEASE_ATTEMPT,
  RESCHEDULE,
  SETTLE_ATTEMPT,
  type SettledAttempt,
} from './webhook-attempt.sql';
import type { ReceiverAnswer } from './receiver-answer';
import type { Verdict } from './verdict';

export type { ClaimedDelivery, SettledAttempt };

interface AttemptResult {
  verdict: Verdict;
  statusCode: number | null;
  error: string | null;
  /** null: there was none, or it is not kept */
  answer: ReceiverAnswer | null;
  durationMs: number;
  /** The delay before the next attempt, if there is one. */
  delaySeconds: number;
  pauseHours: number;
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
    return (await this.database.query(CLAIM_DELIVERY, { workspaceId, orderingKey }))[0] ?? null;
  }

  /** Starts an attempt of the oldest delivery that waits for a failing endpoint. */
  async claimProbe({ workspaceId, endpointId }: EndpointJob): Promise<ClaimedDelivery | null> {
    return (await this.database.query(CLAIM_PROBE, { workspaceId, endpointId }))[0] ?? null;
  }

  /** @returns undefined if the delivery was deleted meanwhile */
  async settle(
    { workspaceId, id, attempts, series, isErased }: ClaimedDelivery,
    { answer, ...result }: AttemptResult,
  ): Promise<SettledAttempt | undefined> {
    const attempt = { workspaceId, deliveryId: id, attempt: attempts, series, isErased };
    const [settled] = await this.database.query(SETTLE_ATTEMPT, {
      ...attempt,
      ...result,
      answerHeaders: answer && JSON.stringify(answer.headers),
      answerBody: answer?.body ?? null,
    });
    return settled;
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
