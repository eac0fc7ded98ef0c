import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { In, IsNull, Not } from 'typeorm';
import { Database, type Transaction } from '../../platform/database/database';
import { likePattern } from '../../platform/database/like-pattern';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { WebhookAttempt } from './webhook-attempt.entity';
import type { EventType } from './event-types';
import { type DeliveryStatus, WebhookDelivery } from './webhook-delivery.entity';
import { WebhookEvent } from './webhook-event.entity';
import type { DeliverySortField } from './webhooks.dto';
import {
  ADD_TEST_EVENT,
  COUNT_PENDING_DELIVERIES,
  DELETE_OLD_DELIVERIES,
  DELETE_OLD_EVENTS,
  DISMISS_DELIVERIES,
  REPLAY_DELIVERY,
} from './webhook-delivery.sql';

export { DISMISS_BATCH, MAX_COUNTED_DELIVERIES } from './webhook-delivery.sql';

export type ListedDelivery = Omit<WebhookDelivery, 'data'>;

/** `attempts` of a delivery is their number. */
export type DeliveryWithAttempts = WebhookDelivery & {
  attemptRows: WebhookAttempt[];
  eventRow: WebhookEvent | null;
};

interface DeliveryFilter {
  status?: DeliveryStatus;
  types?: EventType[];
  conversationId?: string;
  endpointId?: string;
  /** A part of the address. */
  url?: string;
  isDismissed?: boolean;
  createdFrom?: Date;
  createdUntil?: Date;
}

@Injectable()
export class WebhookDeliveriesRepository extends WorkspaceRepository<WebhookDelivery, 'data'> {
  constructor(database: Database) {
    super(database, WebhookDelivery);
  }

  /** Lists deliveries, newest first, or by the time when the server stopped retrying, latest first. */
  async list(
    workspaceId: string,
    {
      status,
      types,
      conversationId,
      endpointId,
      url,
      isDismissed,
      createdFrom,
      createdUntil,
    }: DeliveryFilter,
    page: { page: number; limit: number },
    sortBy: DeliverySortField,
  ): Promise<Page<ListedDelivery>> {
    if ([conversationId, endpointId].some((id) => id !== undefined && !isUUID(id)))
      return { rows: [], total: 0 };
    const deliveries = this.select(workspaceId, 'delivery');
    if (sortBy === 'given_up_at') deliveries.orderBy('delivery.givenUpAt', 'DESC', 'NULLS LAST');
    deliveries.addOrderBy('delivery.sequence', 'DESC');
    if (status !== undefined) deliveries.andWhere({ status });
    if (types !== undefined) deliveries.andWhere({ type: In(types) });
    if (conversationId !== undefined) deliveries.andWhere({ conversationId });
    if (endpointId !== undefined) deliveries.andWhere({ endpointId });
    if (url !== undefined) deliveries.andWhere('delivery.url ILIKE :url', { url: likePattern(url) });
    if (isDismissed !== undefined)
      deliveries.andWhere({ dismissedAt: isDismissed ? Not(IsNull()) : IsNull() });
    if (createdFrom) deliveries.andWhere('delivery.createdAt >= :createdFrom', { createdFrom });
    if (createdUntil) deliveries.andWhere('delivery.createdAt <= :createdUntil', { createdUntil });
    return readPage(deliveries, page);
  }

  async countPending(): Promise<number> {
    return (await this.database.query(COUNT_PENDING_DELIVERIES, {}))[0]?.pending ?? 0;
  }

  /** Reads a delivery and its attempts in one statement, so that the attempts match the status. */
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
      .leftJoinAndMapOne('delivery.eventRow', WebhookEvent, 'event', 'event.id = delivery.eventId')
      .andWhere({ id })
      .orderBy('attempt.number')
      .getMany();
    return (delivery as DeliveryWithAttempts | undefined) ?? null;
  }

  /** @returns the id of the delivery */
  async insertTestEvent(workspaceId: string, url: string, transaction: Transaction): Promise<string> {
    const [delivery] = await transaction.query(ADD_TEST_EVENT, { workspaceId, url });
    if (!delivery) throw new Error('The test event was not added.');
    return delivery.id;
  }

  /** @returns false if there is no such delivery, or its endpoint gets nothing now */
  async replay(workspaceId: string, deliveryId: string): Promise<boolean> {
    if (!isUUID(deliveryId)) return false;
    return (await this.database.query(REPLAY_DELIVERY, { workspaceId, deliveryId })).length > 0;
  }

  /** Dismisses those that were given up until this time, up to {@link DISMISS_BATCH}. @returns how many */
  async dismiss(workspaceId: string, until: Date, transaction: Transaction): Promise<number> {
    return (await transaction.query(DISMISS_DELIVERIES, { workspaceId, until })).length;
  }

  /** Deletes deliveries that are settled. @returns how many were deleted */
  async deleteOld(retentionDays: number, limit: number): Promise<number> {
    return (await this.database.query(DELETE_OLD_DELIVERIES, { retentionDays, limit })).length;
  }

  /** Deletes events whose deliveries are deleted. @returns how many were deleted */
  async deleteOldEvents(retentionDays: number, limit: number): Promise<number> {
    return (await this.database.query(DELETE_OLD_EVENTS, { retentionDays, limit })).length;
  }
}
