import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { byName } from '../../../platform/database/closed-list';
import type { ConversationStatus } from './call-states';
import { Conversation } from './conversation.entity';

/**
 * `published` again by a sweeper, `cancelled` before a claim, `corrected` by the late report of a runtime,
 * `transfer_allowed`: the runtime may connect the person with a number.
 */
export const CALL_EVENT_KINDS = ['published', 'cancelled', 'corrected', 'transfer_allowed'] as const;
export type CallEventKind = (typeof CALL_EVENT_KINDS)[number];
export const CALL_EVENT = byName(CALL_EVENT_KINDS);

/**
 * The cause of the cancellation of a call that no runtime had claimed: a hang-up, the end of its campaign, the
 * operator, the do-not-call list, or the erasure of the person.
 */
export const CANCELLERS = ['api', 'campaign', 'operator', 'do_not_call', 'erasure'] as const;
export type Canceller = (typeof CANCELLERS)[number];
export const CANCELLER = byName(CANCELLERS);

/** The data of a `corrected` event: the call as it was before. */
export interface CorrectedFrom {
  status: ConversationStatus;
  endedAt: string;
  durationSec: number;
}

/** The data of a `transfer_allowed` event. */
export interface AllowedTransfer {
  toNumber: string;
  maximumSeconds: number;
}

/**
 * An event of a call that cannot be read from its row. Most calls have none. The statement that changes the call
 * writes it.
 */
@Entity('call_events')
@Index('call_events_corrected', ['createdAt'], { where: `kind = 'corrected'` })
@Check('call_events_kind_known', `kind = ANY ('{${CALL_EVENT_KINDS.join()}}')`)
export class CallEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;

  @Index() @Column('uuid') conversationId: string;

  @ManyToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' }) conversation: Conversation;

  @Column('text') kind: CallEventKind;

  /**
   * A cancelled call has its {@link Canceller} as `by` and the sender of the hang-up as `actor`; a corrected one has
   * {@link CorrectedFrom}, an allowed transfer {@link AllowedTransfer}.
   */
  @Column('jsonb', { default: {} }) data: object;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
