import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Conversation } from '../calls/conversation.entity';

/** The size of a call's transcript. Its row is locked while turns are added. */
@Entity('call_transcripts')
export class CallTranscript {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  /** How many are stored. */
  @Column('integer', { default: 0 }) turns: number;

  /** A turn was left out, or its text was cut. */
  @Column('boolean', { default: false }) truncated: boolean;
}
