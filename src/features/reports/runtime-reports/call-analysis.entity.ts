import { Column, CreateDateColumn, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Conversation } from '../../calls/model/conversation.entity';

export type AnalysisFields = Record<string, boolean | number | string | null>;

/** The answers to criteria, by their names. */
export type ReportedCriteria = Record<string, { pass: boolean | null; turns: number[]; reason: string }>;

/** The analysis of a call, from the latest report of its runtime. */
@Entity('call_analyses')
export class CallAnalysis {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  @Column('jsonb') fields: AnalysisFields;

  /** null: the runtime reported none */
  @Column('jsonb', { nullable: true }) criteria: ReportedCriteria | null;

  /** Whether the person asked not to be called again. */
  @Column('boolean', { default: false }) optOut: boolean;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) reportedAt: Date;
}
