import { Column, CreateDateColumn, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Conversation } from './conversation.entity';

/** A call with a report that is not measured yet. */
@Entity('calls_to_measure')
export class CallToMeasure {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  /** Each report raises it, and so holds the row until its transaction ends. */
  @Column('integer', { default: 1 }) revision: number;

  @Index('calls_to_measure_created_at_idx')
  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
