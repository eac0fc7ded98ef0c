import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { WebhookDelivery } from './webhook-delivery.entity';

/** One request to an address. One without a duration is under way, or its process was killed. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('uuid') deliveryId: string;

  @ManyToOne(() => WebhookDelivery, { nullable: false, onDelete: 'CASCADE' }) delivery: WebhookDelivery;

  /** From 1. */
  @PrimaryColumn('integer') number: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) startedAt: Date;

  @Column('integer', { nullable: true }) durationMs: number | null;

  /** Null where there was no answer. */
  @Column('integer', { nullable: true }) statusCode: number | null;

  /** Why it failed. */
  @Column('text', { nullable: true }) error: string | null;
}
