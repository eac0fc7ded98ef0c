import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Conversation } from './conversation.entity';

/** A call whose findings are to be computed, when it has ended. */
@Entity('due_findings')
export class DueFindings {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  /** Each report moves it, and so holds the row until its transaction ends. */
  @Index('due_findings_due_at_idx')
  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;
}
