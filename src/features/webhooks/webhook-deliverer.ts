import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JobHelpers } from 'graphile-worker';
import { JobRunner } from '../../platform/background/job-runner';
import { CONFIG, type Config } from '../../config';
import {
  currentTraceparent,
  describeServer,
  isTracing,
  markFailed,
  type Span,
  SpanKind,
  toContext,
  traceWork,
} from '../../platform/tracing/tracing';
import { FairSemaphore } from '../../platform/limits/fair-semaphore';
import { DELIVER_WEBHOOKS, type DeliveryJob } from './delivery-job';
import { delayAfter } from './retry-schedule';
import { VERDICT } from './verdict';
import { type ClaimedDelivery, WebhookAttemptsRepository } from './webhook-attempts.repository';
import { WebhookClient } from './webhook-client';
import { WebhookMetrics } from './webhook-metrics';
import { DELIVERY_STATUS } from './webhook-delivery.entity';
import { WebhookSigner } from './webhook-signer';

/** The largest part of the attempts of this process that one workspace gets. */
const MAX_WORKSPACE_SHARE = 1 / 5;

/** The minimum delay, so that a job without a permit is not repeated at once for a delivery that is already due. */
const RESCHEDULE_SECONDS = 1;

/**
 * Sends the pending deliveries of an ordering key one after the other, the oldest first. A pending delivery always has
 * a job: a job ends only when nothing is pending, or after it has rescheduled itself (see decision 12).
 */
@Injectable()
export class WebhookDeliverer implements OnModuleInit {
  private readonly logger = new Logger(WebhookDeliverer.name);
  private readonly semaphore: FairSemaphore;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly jobs: JobRunner,
    private readonly attempts: WebhookAttemptsRepository,
    private readonly signer: WebhookSigner,
    private readonly client: WebhookClient,
    private readonly metrics: WebhookMetrics,
  ) {
    const concurrency = config.WEBHOOK_CONCURRENCY;
    this.semaphore = new FairSemaphore({
      permits: concurrency,
      permitsPerKind: concurrency,
      permitsPerWorkspace: Math.max(1, Math.floor(concurrency * MAX_WORKSPACE_SHARE)),
    });
  }

  onModuleInit(): void {
    this.jobs.register(
      DELIVER_WEBHOOKS,
      (job: DeliveryJob, { abortSignal }: JobHelpers) => this.run(job, abortSignal),
      { concurrency: this.config.WEBHOOK_CONCURRENCY, skip: () => this.semaphore.saturated('job') },
    );
  }

  private async run(job: DeliveryJob, stop: AbortSignal): Promise<void> {
    // Job workers skip the jobs of a saturated workspace, but several can fetch one at the same moment.
    const release = this.semaphore.tryAcquire('job', job.workspaceId);
    if (release) {
      try {
        await this.deliverInOrder(job, stop);
      } finally {
        release();
      }
    }
    await this.attempts.reschedule(job, RESCHEDULE_SECONDS);
  }

  private async deliverInOrder(job: DeliveryJob, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const delivery = await this.attempts.claim(job);
      if (!delivery) return;
      await this.attempt(delivery, job, stop);
    }
  }

  /** A delivery without a trace, such as a test event, is not recorded. */
  private attempt(delivery: ClaimedDelivery, { orderingKey }: DeliveryJob, stop: AbortSignal): Promise<void> {
    const parent = isTracing() ? toContext(delivery.traceparent ?? '') : undefined;
    if (!parent) return this.attemptOnce(delivery, stop);
    const options = {
      kind: SpanKind.CLIENT,
      parent,
      attributes: {
        'http.request.method': 'POST',
        ...describeServer(delivery.url),
        'http.request.resend_count': delivery.attempts - 1,
        'parley.workspace_id': delivery.workspaceId,
        'parley.webhook_type': delivery.type,
        // The events of one call have its id for their ordering key.
        'parley.call_id': orderingKey,
      },
    };
    return traceWork('POST webhook', options, (span) => this.attemptOnce(delivery, stop, span));
  }

  private async attemptOnce(delivery: ClaimedDelivery, stop: AbortSignal, span?: Span): Promise<void> {
    const startedAt = Date.now();
    const { headers: signed, body } = await this.signer.sign(delivery);
    const traceparent = currentTraceparent();
    const headers = traceparent === '' ? signed : { ...signed, traceparent };
    const outcome = await this.client.post(delivery.url, headers, body, stop);
    if (!outcome) {
      await this.attempts.release(delivery, 'the server stopped before the answer');
      return;
    }
    const { verdict, statusCode, error, answer, retryAfterSeconds } = outcome;
    if (statusCode !== null) span?.setAttribute('http.response.status_code', statusCode);
    // The reason of a failure without an answer may quote the address.
    if (span && verdict !== VERDICT.delivered) markFailed(span, String(statusCode ?? '_OTHER'));
    const status = await this.attempts.settle(delivery, {
      verdict,
      statusCode,
      error,
      answer,
      durationMs: Date.now() - startedAt,
      delaySeconds: Math.max(delayAfter(delivery.failures), retryAfterSeconds),
    });
    const isGivenUp = status === DELIVERY_STATUS.failed;
    this.metrics.countAttempt(isGivenUp ? VERDICT.failed : verdict);
    if (isGivenUp) {
      const { id: deliveryId, attempts } = delivery;
      this.logger.warn({ deliveryId, attempts, reason: error }, 'A webhook was given up');
    }
  }
}
