import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Transaction } from '../database/database';
import { type Page, pageOf, WorkspaceRepository } from '../database/workspace.repository';
import { WebhookAttempt } from './webhook-attempt.entity';
import { type DeliveryStatus, type EventType, WebhookDelivery } from './webhook-delivery.entity';
import { ADD_TEST_EVENT, DELETE_OLD_DELIVERIES, REPLAY_DELIVERY } from './webhook-delivery.sql';

export type ListedDelivery = Omit<WebhookDelivery, 'data'>;

/** `attempts` of a delivery is their number. */
export type DeliveryWithAttempts = WebhookDelivery & { attemptRows: WebhookAttempt[] };

interface DeliveryFilter {
  status?: DeliveryStatus;
  type?: EventType;
  conversationId?: string;
}

@Injectable()
export class WebhookDeliveriesRepository extends WorkspaceRepository<WebhookDelivery, 'data'> {
  constructor(database: Database) {
    super(database, WebhookDelivery);
  }

  /** Newest first. */
  async list(
    workspaceId: string,
    { status, type, conversationId }: DeliveryFilter,
    page: { page: number; limit: number },
  ): Promise<Page<ListedDelivery>> {
    if (conversationId !== undefined && !isUUID(conversationId)) return { rows: [], total: 0 };
    const deliveries = this.select(workspaceId, 'delivery').orderBy('delivery.sequence', 'DESC');
    if (status !== undefined) deliveries.andWhere({ status });
    if (type !== undefined) deliveries.andWhere({ type });
    if (conversationId !== undefined) deliveries.andWhere({ conversationId });
    return pageOf(deliveries, page);
  }

  /** In one statement, so that the attempts match the status. */
  async findWithAttempts(workspaceId: string, id: string): Promise<DeliveryWithAttempts | null> {
    if (!isUUID(id)) return null;
    const [delivery] = await this.select(workspaceId, 'delivery')
      .addSelect('delivery.data')
      .leftJoinAndMapMany(
        'delivery.attemptRows',
        WebhookAttempt,
        'attempt',
        'attempt.deliveryId = delivery.id',
      )
      .andWhere({ id })
      .orderBy('attempt.number')
      .getMany();
    return (delivery as DeliveryWithAttempts | undefined) ?? null;
  }

  /** @returns the id of its delivery */
  async insertTestEvent(workspaceId: string, url: string, transaction: Transaction): Promise<string> {
    const [delivery] = await transaction.query(ADD_TEST_EVENT, { workspaceId, url });
    if (!delivery) throw new Error('The test event was not added.');
    return delivery.id;
  }

  /** @returns false if there is no such delivery */
  async replay(workspaceId: string, deliveryId: string): Promise<boolean> {
    if (!isUUID(deliveryId)) return false;
    return (await this.database.query(REPLAY_DELIVERY, { workspaceId, deliveryId })).length > 0;
  }

  /** Deletes deliveries that are settled. @returns how many were deleted */
  async deleteOld(retentionDays: number, limit: number): Promise<number> {
    return (await this.database.query(DELETE_OLD_DELIVERIES, { retentionDays, limit })).length;
  }
}
