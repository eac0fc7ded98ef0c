import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import type { ClaimedDelivery } from './webhook-attempts.repository';
import { WebhookSecretsService } from './webhook-secrets.service';
import { presentPayload } from './webhooks.presenter';

/** Makes the request of an attempt, according to the Standard Webhooks specification. */
@Injectable()
export class WebhookSigner {
  constructor(private readonly secrets: WebhookSecretsService) {}

  /**
   * Signs an attempt. All attempts of a delivery have the same body. The timestamp and the signatures are those of
   * this attempt.
   */
  async sign(delivery: ClaimedDelivery): Promise<{ headers: Record<string, string>; body: string }> {
    const body = JSON.stringify(presentPayload(delivery));
    const secret = delivery.secret ?? (await this.secrets.find(delivery.workspaceId)).secret;
    const now = new Date();
    const valid = delivery.previousSecret === null ? [secret] : [secret, delivery.previousSecret];
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Parley/1.0',
      ...(delivery.traceparent !== null && { traceparent: delivery.traceparent }),
      'webhook-id': delivery.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': valid.map((each) => new Webhook(each).sign(delivery.id, now, body)).join(' '),
    };
    return { headers, body };
  }
}
