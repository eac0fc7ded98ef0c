import { Check, Column, CreateDateColumn, Entity, Generated, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { Workspace } from '../../accounts/workspaces/workspace.entity';
import { EVENT_TYPE, type EventType } from './event-types';
import { WebhookEvent } from './webhook-event.entity';

/** `held`: it waits for somebody who enables its endpoint again. */
export const DELIVERY_STATUSES = ['pending', 'held', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const DELIVERY_STATUS = byName(DELIVERY_STATUSES);

const IS_PENDING = `status = '${DELIVERY_STATUS.pending}'`;
const IS_DELIVERED = `status = '${DELIVERY_STATUS.delivered}'`;
const IS_GIVEN_UP = `status = '${DELIVERY_STATUS.failed}'`;

const time = { type: 'timestamptz', precision: 3 } as const;

/** An event for one receiver. Its id is the `webhook-id` of every attempt. */
@Entity('webhook_deliveries')
@Index(['workspaceId', 'sequence'])
@Index('webhook_deliveries_in_order', ['orderingKey', 'sequence'], { where: IS_PENDING })
@Index('webhook_deliveries_given_up', ['workspaceId', 'givenUpAt'], { where: IS_GIVEN_UP })
@Index('webhook_deliveries_test_events', ['workspaceId', 'createdAt'], {
  where: `type = '${EVENT_TYPE['webhook.test']}'`,
})
@Index('webhook_deliveries_started_once', ['conversationId'], {
  unique: true,
  where: `type = '${EVENT_TYPE['call.started']}' AND endpoint_id IS NULL`,
})
@Index('webhook_deliveries_of_endpoint', ['endpointId', 'status', 'sequence'], {
  where: `endpoint_id IS NOT NULL AND NOT ${IS_DELIVERED}`,
})
@Check('webhook_deliveries_have_data', 'data IS NOT NULL OR event_id IS NOT NULL')
@Check('webhook_deliveries_status_known', `status IN (${literals(DELIVERY_STATUSES)})`)
@Check('webhook_deliveries_pending_is_due', `(${IS_PENDING}) = (next_attempt_at IS NOT NULL)`)
@Check('webhook_deliveries_leased_is_pending', `${IS_PENDING} OR leased_until IS NULL`)
export class WebhookDelivery {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** null for a test event. */
  @Index() @Column('uuid', { nullable: true }) conversationId: string | null;

  // The relation is by name: calls import webhooks, and webhooks import nothing of calls.
  @ManyToOne('Conversation', { nullable: true, onDelete: 'CASCADE' }) conversation: unknown;

  /** null: a delivery of an earlier release, which has the payload in `data`. */
  @Index() @Column('uuid', { nullable: true }) eventId: string | null;

  @ManyToOne(() => WebhookEvent, { nullable: true, onDelete: 'CASCADE' }) event: WebhookEvent | null;

  /**
   * null: the address of a call, or of a test. It is no foreign key: a deleted endpoint leaves what it has got, and
   * batches delete what it has not.
   */
  @Column('uuid', { nullable: true }) endpointId: string | null;

  /**
   * Deliveries with the same key are sent one after the other. The key is the call, the call at an endpoint, or the
   * delivery itself: then there is no order.
   */
  @Column('uuid') orderingKey: string;

  /** The order of deliveries with the same ordering key. */
  @Column('bigint') @Generated('increment') sequence: string;

  @Column('text') type: EventType;

  /** The address of the latest attempt. The next attempt goes to the address that the endpoint has then. */
  @Column('text') url: string;

  /** The payload's `data` in a delivery without an event. Lists do not read it. */
  @Column('jsonb', { nullable: true, select: false }) data: object | null;

  /** Whether the payload has lost what says something about a person. */
  @Column('boolean', { default: false }) isErased: boolean;

  /** The trace of a delivery without an event. */
  @Column('text', { nullable: true }) traceparent: string | null;

  @Column('text', { default: DELIVERY_STATUS.pending }) status: DeliveryStatus;

  /** The payload's `timestamp`. */
  @Index() @CreateDateColumn(time) createdAt: Date;

  /**
   * The number of attempts that have started. It is the number of the latest one, which alone may change the
   * delivery.
   */
  @Column('integer', { default: 0 }) attempts: number;

  /** A replay starts a new series of attempts. */
  @Column('integer', { default: 1 }) series: number;

  /** The number of attempts of this series that have failed, which decides the next delay. */
  @Column('integer', { default: 0 }) failures: number;

  @Column({ ...time, nullable: true, default: () => 'now()' }) nextAttemptAt: Date | null;

  /** An attempt that fails after this time is the last one. */
  @Column(time) giveUpAt: Date;

  /**
   * The time when the server last stopped retrying. A process of the release before this column neither sets nor
   * removes it.
   */
  @Column({ ...time, nullable: true }) givenUpAt: Date | null;

  /** The time when somebody dismissed the failure, which is no problem from then on. A replay begins anew. */
  @Column({ ...time, nullable: true }) dismissedAt: Date | null;

  /** The end of the lease of the attempt in progress. null: no attempt is in progress. */
  @Column({ ...time, nullable: true }) leasedUntil: Date | null;

  /** The status code of the latest attempt that ended. */
  @Column('integer', { nullable: true }) lastStatusCode: number | null;

  /** The error of the latest attempt that ended; null if it was delivered. */
  @Column('text', { nullable: true }) lastError: string | null;
}
