import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { KnowledgeBase } from '../knowledge-base/knowledge-base.entity';
import { Agent } from './agent.entity';

/** A knowledge base that an agent has. The row is deleted with either. */
@Entity('knowledge_base_assignments')
export class KnowledgeBaseAssignment {
  @PrimaryColumn('uuid') agentId: string;

  @ManyToOne(() => Agent, { nullable: false, onDelete: 'CASCADE' }) agent: Agent;

  @Index() @PrimaryColumn('uuid') knowledgeBaseId: string;

  @ManyToOne(() => KnowledgeBase, { nullable: false, onDelete: 'CASCADE' }) knowledgeBase: KnowledgeBase;

  /** The index of the knowledge base in the agent's list. */
  @Column('integer') position: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
