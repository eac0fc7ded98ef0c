import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { WebhookDelivery } from './webhook-delivery.entity';

/** One request to an address. An attempt without a duration is in progress, or its process was killed. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('uuid') deliveryId: string;

  @ManyToOne(() => WebhookDelivery, { nullable: false, onDelete: 'CASCADE' }) delivery: WebhookDelivery;

  /** The number of the attempt, from 1. */
  @PrimaryColumn('integer') number: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) startedAt: Date;

  @Column('integer', { nullable: true }) durationMs: number | null;

  /** null: there was no response. */
  @Column('integer', { nullable: true }) statusCode: number | null;

  /** The reason why the attempt failed. */
  @Column('text', { nullable: true }) error: string | null;

  /** null: there was no response, or a version that kept none received it. */
  @Column('jsonb', { nullable: true }) answerHeaders: Record<string, string> | null;

  /** The beginning of the response's body. */
  @Column('text', { nullable: true }) answerBody: string | null;
}
