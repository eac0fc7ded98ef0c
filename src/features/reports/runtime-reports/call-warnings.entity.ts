import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Conversation } from '../../calls/model/conversation.entity';

/** The number of warnings of one call that are stored. */
export const MAX_WARNINGS = 20;

export interface CallWarning {
  code: string;
  text: string;
  /** The time as the runtime sent it, by which a repeated warning is recognized. */
  occurredAt: string;
  /** The same time, moved between the claim and the arrival if it was outside. */
  at: string;
}

/**
 * The warnings of a call, in the order of their arrival. They are stored in one row, which is locked while one is
 * added.
 */
@Entity('call_warnings')
@Check('call_warnings_limited', `jsonb_array_length(warnings) <= ${MAX_WARNINGS}`)
export class CallWarnings {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  @Column('jsonb') warnings: CallWarning[];
}
