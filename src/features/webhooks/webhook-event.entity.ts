import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../../accounts/workspaces/workspace.entity';
import { EVENT_TYPE, type EventType } from './event-types';

/** Something that happened, with its payload. Each receiver has a delivery of it. */
@Entity('webhook_events')
@Index('webhook_events_start_once', ['conversationId'], {
  unique: true,
  where: `type = '${EVENT_TYPE['call.started']}'`,
})
export class WebhookEvent {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** null: it is not about a call. */
  @Index() @Column('uuid', { nullable: true }) conversationId: string | null;

  // The relation is by name: calls import webhooks, and webhooks import nothing of calls.
  @ManyToOne('Conversation', { nullable: true, onDelete: 'CASCADE' }) conversation: unknown;

  @Column('text') type: EventType;

  /** The payload's `timestamp`. */
  @Index() @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @Column('jsonb') data: object;

  /** W3C Trace Context of the request that started the call, sent as a header. null: the request had none. */
  @Column('text', { nullable: true }) traceparent: string | null;
}
