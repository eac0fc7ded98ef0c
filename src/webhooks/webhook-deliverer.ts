import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JobHelpers } from 'graphile-worker';
import { CONFIG, type Config } from '../config';
import { Sql } from '../database/sql';
import { JobRunner } from '../background/job-runner';
import { WorkspaceConcurrencyLimiter } from '../background/workspace-concurrency-limiter';
import { DELIVER_WEBHOOKS } from './add-webhook-event.sql';
import { pauseAfter } from './retry-schedule';
import { WebhookClient } from './webhook-client';
import {
  RESCHEDULE,
  GIVE_BACK_ATTEMPT,
  SETTLE_ATTEMPT,
  TAKE_DELIVERY,
  type TakenDelivery,
} from './webhook-delivery.sql';
import { WebhookSigner } from './webhook-signer';

interface DeliveryJob {
  workspaceId: string;
  orderingKey: string;
}

/** Of the places of this process. */
const MOST_OF_A_WORKSPACE = 1 / 5;

/** Before another look at a delivery that ought to have been there for the taking. */
const COME_BACK_SECONDS = 1;

/**
 * Delivers what is pending under an ordering key, the oldest first, and the next one only when that is settled. The job
 * that came with a delivery ends when nothing is pending under its key any more; whatever keeps it from going on, it
 * first adds itself again, or finds one that waits for the same moment. So a pending delivery always has a job.
 */
@Injectable()
export class WebhookDeliverer implements OnModuleInit {
  private readonly logger = new Logger(WebhookDeliverer.name);
  private readonly places: WorkspaceConcurrencyLimiter;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly jobs: JobRunner,
    private readonly sql: Sql,
    private readonly signer: WebhookSigner,
    private readonly client: WebhookClient,
  ) {
    const places = config.WEBHOOK_CONCURRENCY;
    this.places = new WorkspaceConcurrencyLimiter(
      places,
      Math.max(1, Math.floor(places * MOST_OF_A_WORKSPACE)),
    );
  }

  onModuleInit(): void {
    this.jobs.register(
      DELIVER_WEBHOOKS,
      (job: DeliveryJob, { abortSignal }: JobHelpers) => this.deliver(job, abortSignal),
      { concurrency: this.config.WEBHOOK_CONCURRENCY, skip: () => this.places.full },
    );
  }

  private async deliver({ workspaceId, orderingKey }: DeliveryJob, stop: AbortSignal): Promise<void> {
    // Jobs of a full workspace are left alone, but several may be taken in the same moment.
    if (this.places.enter(workspaceId)) {
      try {
        await this.deliverInOrder(workspaceId, orderingKey, stop);
      } finally {
        this.places.leave(workspaceId);
      }
    }
    await this.sql.run(RESCHEDULE, [workspaceId, orderingKey, COME_BACK_SECONDS]);
  }

  /** Until nothing is there for the taking. */
  private async deliverInOrder(workspaceId: string, orderingKey: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const [delivery] = await this.sql.run<TakenDelivery>(TAKE_DELIVERY, [workspaceId, orderingKey]);
      if (!delivery) return;
      await this.attempt(delivery, stop);
    }
  }

  private async attempt(delivery: TakenDelivery, stop: AbortSignal): Promise<void> {
    const { id, workspaceId, url, attempts, series, failures } = delivery;
    const begun = Date.now();
    const { headers, body } = await this.signer.sign(delivery);
    const outcome = await this.client.post(url, headers, body, stop);
    if (!outcome) {
      const reason = 'the server stopped before the answer';
      await this.sql.run(GIVE_BACK_ATTEMPT, [workspaceId, id, attempts, reason]);
      return;
    }
    const { verdict, statusCode, error, retryAfterSeconds } = outcome;
    const [settled] = await this.sql.run<{ status: string }>(SETTLE_ATTEMPT, [
      workspaceId,
      id,
      attempts,
      verdict,
      statusCode,
      error,
      Date.now() - begun,
      Math.max(pauseAfter(failures), retryAfterSeconds),
      series,
    ]);
    if (settled?.status === 'failed') {
      this.logger.warn({ deliveryId: id, attempts, reason: error }, 'A webhook was given up');
    }
  }
}
