import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobHelpers } from 'graphile-worker';
import { JobRunner } from '../../platform/background/job-runner';
import { CONFIG, type Config } from '../../config';
import { FairSemaphore } from '../../platform/limits/fair-semaphore';
import {
  DELIVER_WEBHOOKS,
  type DeliveryJob,
  type EndpointJob,
  FOLLOW_ENDPOINT,
  SEND_DELIVERIES,
} from './delivery-job';
import { WebhookAttemptsRepository } from './webhook-attempts.repository';
import { ENDPOINT_STATUS } from './webhook-endpoint.entity';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository';
import { WebhookSender } from './webhook-sender';

/** The largest part of the attempts of this process that one workspace gets. */
const MAX_WORKSPACE_SHARE = 1 / 5;

/** The attempts of this process that one endpoint gets at once. */
const MAX_OF_ENDPOINT = 4;

/** The minimum delay, so that a job without a permit is not repeated at once for a delivery that is already due. */
const RESCHEDULE_SECONDS = 1;

/**
 * Sends the pending deliveries of an ordering key one after the other, the oldest first. A pending delivery always has
 * a job, unless its endpoint gets none now: a job ends only when nothing is pending, or after it has rescheduled itself
 * (see decision 12). A change of the status of an endpoint has a job, too, which sends a probe or moves what waits.
 */
@Injectable()
export class WebhookDeliverer implements OnModuleInit {
  private readonly semaphore: FairSemaphore;
  private readonly ofEndpoints = new FairSemaphore({
    permits: Infinity,
    permitsPerKind: Infinity,
    permitsPerWorkspace: MAX_OF_ENDPOINT,
  });

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly jobs: JobRunner,
    private readonly attempts: WebhookAttemptsRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly sender: WebhookSender,
  ) {
    const concurrency = config.WEBHOOK_CONCURRENCY;
    this.semaphore = new FairSemaphore({
      permits: concurrency,
      permitsPerKind: concurrency,
      permitsPerWorkspace: Math.max(1, Math.floor(concurrency * MAX_WORKSPACE_SHARE)),
    });
  }

  onModuleInit(): void {
    const send = (job: DeliveryJob, { abortSignal }: JobHelpers) => this.send(job, abortSignal);
    this.jobs.register(
      {
        [SEND_DELIVERIES]: send,
        [DELIVER_WEBHOOKS]: send,
        [FOLLOW_ENDPOINT]: (job: EndpointJob, { abortSignal }: JobHelpers) => this.follow(job, abortSignal),
      },
      {
        concurrency: this.config.WEBHOOK_CONCURRENCY,
        skip: () => [this.semaphore, this.ofEndpoints].flatMap((semaphore) => semaphore.saturated('job')),
      },
    );
  }

  private async send(job: DeliveryJob, stop: AbortSignal): Promise<void> {
    const release = this.acquire(job);
    try {
      const isMore = release ? await this.sendInOrder(job, stop) : true;
      if (isMore) await this.attempts.reschedule(job, RESCHEDULE_SECONDS);
    } finally {
      release?.();
    }
  }

  /** Job workers skip the jobs of a saturated workspace or endpoint, but several can fetch one at the same moment. */
  private acquire({ workspaceId, endpointId }: DeliveryJob): (() => void) | undefined {
    const release = this.semaphore.tryAcquire('job', workspaceId);
    if (!release || !endpointId) return release;
    const releaseEndpoint = this.ofEndpoints.tryAcquire('job', endpointId);
    if (!releaseEndpoint) {
      release();
      return undefined;
    }
    return () => {
      releaseEndpoint();
      release();
    };
  }

  /** @returns whether a delivery may still be pending */
  private async sendInOrder(job: DeliveryJob, stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      const delivery = await this.attempts.claim(job);
      if (!delivery) return true;
      if (!(await this.sender.send(delivery, stop))) return false;
    }
    return true;
  }

  private async follow(job: EndpointJob, stop: AbortSignal): Promise<void> {
    const release = this.semaphore.tryAcquire('job', job.workspaceId);
    if (!release) return this.endpoints.continueJob(job);
    try {
      const status = await this.endpoints.findStatus(job);
      if (status === ENDPOINT_STATUS.failing) await this.probe(job, stop);
      else if (status === ENDPOINT_STATUS.ok) await this.sendWaiting(job);
      else if (status === null) await this.endpoints.dropWaiting(job, stop);
      else await this.endpoints.holdWaiting(job, stop);
    } finally {
      release();
    }
  }

  private async sendWaiting(job: EndpointJob): Promise<void> {
    const next = await this.endpoints.sendWaiting(job);
    if (next) await this.endpoints.continueJob(next);
  }

  private async probe(job: EndpointJob, stop: AbortSignal): Promise<void> {
    if (!(await this.endpoints.takeProbe(job))) return;
    const delivery = await this.attempts.claimProbe(job);
    if (delivery) await this.sender.send(delivery, stop);
  }
}
