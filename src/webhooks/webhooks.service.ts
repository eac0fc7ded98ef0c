import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { paginate } from '../http/pagination';
import { Sql } from '../database/sql';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { QuotasService } from '../workspaces/quotas.service';
import { ADD_TEST_EVENT } from './add-webhook-event.sql';
import { WebhookAttempt } from './webhook-attempt.entity';
import { WebhookDelivery } from './webhook-delivery.entity';
import { REPLAY_DELIVERY } from './webhook-delivery.sql';
import type { ListDeliveriesQuery } from './webhooks.dto';
import { deliveryNotFound } from './webhooks.errors';
import { type DeliveryWithLog, presentDelivery, presentDeliveryDetail } from './webhooks.presenter';

@Injectable()
export class WebhooksService {
  constructor(
    @InjectScoped(WebhookDelivery) private readonly deliveries: WorkspaceScopedRepository<WebhookDelivery>,
    private readonly quotas: QuotasService,
    private readonly sql: Sql,
  ) {}

  async list(workspaceId: string, query: ListDeliveriesQuery) {
    const rows = this.deliveries.query(workspaceId, 'delivery');
    const { status, type, conversation_id } = query;
    if (status !== undefined) rows.andWhere('delivery.status = :status', { status });
    if (type !== undefined) rows.andWhere('delivery.type = :type', { type });
    if (conversation_id !== undefined && !isUUID(conversation_id)) return paginate([], query, 0);
    if (conversation_id !== undefined)
      rows.andWhere('delivery.conversationId = :conversation_id', { conversation_id });
    return pageOf(rows.orderBy('delivery.sequence', 'DESC'), query, presentDelivery);
  }

  /** @throws 404 */
  async get(workspaceId: string, deliveryId: string) {
    if (!isUUID(deliveryId)) throw deliveryNotFound();
    const [delivery] = await this.deliveries
      .query(workspaceId, 'delivery')
      .addSelect('delivery.data')
      // In one statement, so that the attempts fit the status.
      .leftJoinAndMapMany('delivery.log', WebhookAttempt, 'attempt', 'attempt.deliveryId = delivery.id')
      .andWhere('delivery.id = :deliveryId', { deliveryId })
      .orderBy('attempt.number')
      .getMany();
    if (!delivery) throw deliveryNotFound();
    return presentDeliveryDetail(delivery as DeliveryWithLog);
  }

  /** @throws 404 */
  async replay(workspaceId: string, deliveryId: string) {
    const [job] = isUUID(deliveryId) ? await this.sql.run(REPLAY_DELIVERY, [workspaceId, deliveryId]) : [];
    if (!job) throw deliveryNotFound();
    return { delivery_id: deliveryId };
  }

  async sendTestEvent(workspaceId: string, url: string) {
    const [added] = await this.quotas.creating(workspaceId, 'webhook_test_events', ({ manager }) =>
      manager.query<{ id: string }[]>(ADD_TEST_EVENT.text, [workspaceId, url]),
    );
    if (!added) throw new Error('A test event was not added.');
    return { delivery_id: added.id };
  }
}
