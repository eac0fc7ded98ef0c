import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { KnowledgeBase } from './knowledge-base.entity';

/** An agent that a knowledge base is assigned to. Goes with either. */
@Entity('knowledge_base_assignments')
export class KnowledgeBaseAssignment {
  @PrimaryColumn('uuid') agentId: string;

  // By name: agents know knowledge bases, and knowledge bases know nothing of agents.
  @ManyToOne('Agent', { nullable: false, onDelete: 'CASCADE' }) agent: unknown;

  @Index() @PrimaryColumn('uuid') knowledgeBaseId: string;

  @ManyToOne(() => KnowledgeBase, { nullable: false, onDelete: 'CASCADE' }) knowledgeBase: KnowledgeBase;

  /** Its place in the agent's list. */
  @Column('integer') position: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
