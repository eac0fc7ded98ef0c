import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { presentPayload } from './webhooks.presenter';
import type { TakenDelivery } from './webhook-delivery.sql';
import { WebhookSecretsService } from './webhook-secrets.service';

/** Makes the request of an attempt as the Standard Webhooks specification has it. */
@Injectable()
export class WebhookSigner {
  constructor(private readonly secrets: WebhookSecretsService) {}

  /** The body is the same bytes in every attempt; time and signatures are this attempt's. */
  async sign(delivery: TakenDelivery): Promise<{ headers: Record<string, string>; body: string }> {
    const body = JSON.stringify(presentPayload(delivery));
    const { secret, previousSecret } = await this.secrets.find(delivery.workspaceId);
    const now = new Date();
    const valid = previousSecret === null ? [secret] : [secret, previousSecret];
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Parley/1.0',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': valid.map((each) => new Webhook(each).sign(delivery.id, now, body)).join(' '),
    };
    return { headers, body };
  }
}
