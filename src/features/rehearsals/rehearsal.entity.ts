import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { Actor } from '../../platform/http/actor';
import { Agent } from '../agents/agent.entity';
import type { RehearsalDefinition } from './rehearsal-definition';

export const UNIQUE_REHEARSAL_NAME = 'rehearsals_agent_id_name_idx';

/** A call for practice: what the person says in it, and what must be true of it. */
@Entity('rehearsals')
@Index(['workspaceId', 'personNumber'], { where: 'person_number IS NOT NULL' })
@Index(UNIQUE_REHEARSAL_NAME, ['agentId', 'name'], { unique: true })
export class Rehearsal {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @Column('uuid') agentId: string;

  @ManyToOne(() => Agent, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'agent_id', referencedColumnName: 'id' },
    { name: 'workspace_id', referencedColumnName: 'workspaceId' },
  ])
  agent: Agent;

  @Column('text') name: string;

  /** Whether it is played when none is named. */
  @Column('boolean') enabled: boolean;

  @Column('jsonb') definition: RehearsalDefinition;

  /** The number of the person of the call of which it was made. An erasure of the person finds it by this. */
  @Column('text', { nullable: true }) personNumber: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt: Date;

  /** The last who changed it. null: the server itself, or an earlier release */
  @Column('jsonb', { nullable: true }) updatedBy: Actor | null;
}
