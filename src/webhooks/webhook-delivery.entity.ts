import { Check, Column, CreateDateColumn, Entity, Generated, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const EVENT_TYPES = ['call.started', 'call.ended', 'call.failed', 'webhook.test'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const time = { type: 'timestamptz', precision: 3 } as const;

/** An event that an address is told of; its id is the `webhook-id`, the same in every attempt. */
@Entity('webhook_deliveries')
@Index(['workspaceId', 'sequence'])
@Index('webhook_deliveries_in_order', ['orderingKey', 'sequence'], { where: `status = 'pending'` })
@Index('webhook_deliveries_test_events', ['workspaceId', 'createdAt'], { where: `type = 'webhook.test'` })
@Index('webhook_deliveries_start_once', ['conversationId'], {
  unique: true,
  where: `type = 'call.started'`,
})
@Check('webhook_deliveries_status_known', `status IN ('pending', 'delivered', 'failed')`)
@Check('webhook_deliveries_pending_is_due', `(status = 'pending') = (next_attempt_at IS NOT NULL)`)
@Check('webhook_deliveries_leased_is_pending', `status = 'pending' OR leased_until IS NULL`)
export class WebhookDelivery {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** The call it tells of; null for a test event. */
  @Index() @Column('uuid', { nullable: true }) conversationId: string | null;

  // By name: calls know webhooks, and webhooks know nothing of calls.
  @ManyToOne('Conversation', { nullable: true, onDelete: 'CASCADE' }) conversation: unknown;

  /** Those under one key are delivered one after the other: the conversation, or itself where it keeps to no order. */
  @Column('uuid') orderingKey: string;

  /** The order. */
  @Column('bigint') @Generated('increment') sequence: string;

  @Column('text') type: EventType;

  @Column('text') url: string;

  /** The payload's `data`; only read where it is asked for. */
  @Column('jsonb', { select: false }) data: object;

  @Column('text', { default: 'pending' }) status: DeliveryStatus;

  /** The payload's `timestamp`. */
  @Index() @CreateDateColumn(time) createdAt: Date;

  /** How many attempts have begun. The number of the latest one is its fence: only that one decides. */
  @Column('integer', { default: 0 }) attempts: number;

  /** The series of attempts; a replay begins a new one. */
  @Column('integer', { default: 1 }) series: number;

  /** How many attempts of this series have failed; it decides on the next pause. */
  @Column('integer', { default: 0 }) failures: number;

  @Column({ ...time, nullable: true, default: () => 'now()' }) nextAttemptAt: Date | null;

  /** An attempt that fails from then on is the last one. */
  @Column(time) giveUpAt: Date;

  /** While an attempt is under way: until when nobody else may make one. */
  @Column({ ...time, nullable: true }) leasedUntil: Date | null;

  /** Of the latest attempt that ended. */
  @Column('integer', { nullable: true }) lastStatusCode: number | null;

  /** Of the latest attempt that ended; null where it was delivered. */
  @Column('text', { nullable: true }) lastError: string | null;
}
