import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { paginate } from '../../platform/http/pagination';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import type { ListDeliveriesQuery } from './webhooks.dto';
import { deliveryNotFound, endpointOff } from './webhooks.errors';
import { presentDelivery, presentDeliveryDetail } from './webhooks.presenter';

@Injectable()
export class WebhooksService {
  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  async list(workspaceId: string, query: ListDeliveriesQuery) {
    const {
      status,
      type: types,
      conversation_id: conversationId,
      endpoint_id: endpointId,
      url,
      dismissed,
      sortBy,
    } = query;
    const filter = {
      ...{ status, types, conversationId, endpointId, url, isDismissed: dismissed },
      createdFrom: query.start_date,
      createdUntil: query.end_date,
    };
    const { rows, total } = await this.deliveries.list(workspaceId, filter, query, sortBy);
    return paginate(rows.map(presentDelivery), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, deliveryId: string) {
    const delivery = await this.deliveries.findWithAttempts(workspaceId, deliveryId);
    if (!delivery) throw deliveryNotFound();
    return presentDeliveryDetail(delivery);
  }

  /** @throws 404, 409 */
  async replay(workspaceId: string, deliveryId: string) {
    if (!(await this.deliveries.replay(workspaceId, deliveryId))) {
      await this.get(workspaceId, deliveryId);
      throw endpointOff();
    }
    return { delivery_id: deliveryId };
  }

  /** Dismisses webhooks that were given up: they stay, and are no problem any more. */
  dismiss(workspaceId: string, until = new Date()): Promise<{ dismissed: number }> {
    return this.database.transaction(async (transaction) => {
      const dismissed = await this.deliveries.dismiss(workspaceId, until, transaction);
      if (dismissed === 0) transaction.change = null;
      return { dismissed };
    });
  }

  async sendTestEvent(workspaceId: string, url: string) {
    const deliveryId = await this.quotas.createWithinQuota(
      workspaceId,
      'webhook_test_events',
      (transaction) => this.deliveries.insertTestEvent(workspaceId, url, transaction),
    );
    return { delivery_id: deliveryId };
  }
}
