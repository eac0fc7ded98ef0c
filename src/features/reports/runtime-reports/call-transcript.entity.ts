import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Conversation } from '../../calls/model/conversation.entity';

/** The size of a call's transcript. Its row is locked while turns are added. */
@Entity('call_transcripts')
export class CallTranscript {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  /** The number of turns that are stored. */
  @Column('integer', { default: 0 }) turns: number;

  /** The size of the texts and tools that are stored, as JSON. */
  @Column('integer', { default: 0 }) bytes: number;

  /** Whether a turn was left out, or its text was cut. */
  @Column('boolean', { default: false }) truncated: boolean;
}
