import { Inject, Injectable, Logger } from '@nestjs/common';
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
import { delayAfter } from './retry-schedule';
import { VERDICT } from './verdict';
import { type ClaimedDelivery, WebhookAttemptsRepository } from './webhook-attempts.repository';
import { WebhookClient } from './webhook-client';
import { DELIVERY_STATUS } from './webhook-delivery.entity';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSigner } from './webhook-signer';

/** Makes an attempt that was claimed: it sends the request and settles the delivery and its endpoint. */
@Injectable()
export class WebhookSender {
  private readonly logger = new Logger(WebhookSender.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly attempts: WebhookAttemptsRepository,
    private readonly signer: WebhookSigner,
    private readonly client: WebhookClient,
    private readonly metrics: WebhookMetrics,
  ) {}

  /**
   * A delivery without a trace, such as a test event, is not recorded.
   * @returns whether another delivery of the ordering key is pending
   */
  send(delivery: ClaimedDelivery, stop: AbortSignal): Promise<boolean> {
    const parent = isTracing() ? toContext(delivery.traceparent ?? '') : undefined;
    if (!parent) return this.attempt(delivery, stop);
    const options = {
      kind: SpanKind.CLIENT,
      parent,
      attributes: {
        'http.request.method': 'POST',
        ...describeServer(delivery.url),
        'http.request.resend_count': delivery.attempts - 1,
        'parley.workspace_id': delivery.workspaceId,
        'parley.webhook_type': delivery.type,
        'parley.call_id': delivery.conversationId ?? '',
      },
    };
    return traceWork('POST webhook', options, (span) => this.attempt(delivery, stop, span));
  }

  private async attempt(delivery: ClaimedDelivery, stop: AbortSignal, span?: Span): Promise<boolean> {
    const startedAt = Date.now();
    const { headers: signed, body } = await this.signer.sign(delivery);
    const traceparent = currentTraceparent();
    const headers = traceparent === '' ? signed : { ...signed, traceparent };
    const outcome = await this.client.post(delivery.url, headers, body, stop);
    if (!outcome) {
      await this.attempts.release(delivery, 'the server stopped before the answer');
      return true;
    }
    const { verdict, statusCode, error, answer, retryAfterSeconds } = outcome;
    if (statusCode !== null) span?.setAttribute('http.response.status_code', statusCode);
    // The reason of a failure without an answer may quote the address.
    if (span && verdict !== VERDICT.delivered) markFailed(span, String(statusCode ?? '_OTHER'));
    const settled = await this.attempts.settle(delivery, {
      verdict,
      statusCode,
      error,
      // The answers of an endpoint are many, and only those that refuse explain something.
      answer: delivery.endpointId !== null && verdict === VERDICT.delivered ? null : answer,
      durationMs: Date.now() - startedAt,
      delaySeconds: Math.max(delayAfter(delivery.failures), retryAfterSeconds),
      pauseHours: this.config.WEBHOOK_PAUSE_HOURS,
    });
    const isGivenUp = settled?.status === DELIVERY_STATUS.failed;
    this.metrics.countAttempt(isGivenUp ? VERDICT.failed : verdict);
    if (isGivenUp) {
      const { id: deliveryId, attempts } = delivery;
      this.logger.warn({ deliveryId, attempts, reason: error }, 'A webhook was given up');
    }
    return settled?.isMore ?? true;
  }
}
