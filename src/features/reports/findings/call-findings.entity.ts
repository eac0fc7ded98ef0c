import { Column, CreateDateColumn, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import type { FieldValue } from '../../agents/agent-analysis';
import { Conversation } from '../../calls/model/conversation.entity';

/** The value of a field of the agent's analysis. */
export interface FoundValue {
  /** null: there is none, and the reason says why */
  value: FieldValue | null;
  reason: string | null;
}

/** The answer to a criterion of the agent's analysis. */
export interface FoundAnswer {
  /** null: it is unclear */
  pass: boolean | null;
  /** The sequences of the turns that show it. */
  turns: number[];
  reason: string | null;
}

/** The results of a call, by the names of the analysis that its version of the agent has. */
export interface Findings {
  fields: Record<string, FoundValue>;
  criteria: Record<string, FoundAnswer>;
}

/** The findings of a call that has ended, from all that is known about it. */
@Entity('call_findings')
export class CallFindings implements Findings {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  @Column('jsonb') fields: Findings['fields'];

  @Column('jsonb') criteria: Findings['criteria'];

  /** Their values as texts, by the names that filters have for them, such as `field.city` and `criterion.consent`. */
  @Column('jsonb') answers: Record<string, string>;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) foundAt: Date;
}
