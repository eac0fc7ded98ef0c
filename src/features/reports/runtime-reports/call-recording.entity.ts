import { Column, CreateDateColumn, Entity, OneToOne, PrimaryColumn, JoinColumn } from 'typeorm';
import { Conversation } from '../../calls/model/conversation.entity';

/** The address of the recording of a call, from the latest report of its runtime. */
@Entity('call_recordings')
export class CallRecording {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  @Column('text') url: string;

  @Column('double precision', { nullable: true }) durationSec: number | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) reportedAt: Date;
}
