import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { workspaceForeignKey } from '../../platform/database/workspace-foreign-key';
import type { Actor } from '../../platform/http/actor';
import type { PinnedTool } from '../tools/tool-definition';
import type { AgentAnalysis } from './agent-analysis';
import { Agent } from './agent.entity';

/** The part of an agent that its calls depend on, variables not yet filled in. */
export type AgentSnapshot = Record<string, unknown>;

/** An agent as it was under one of its versions. Rows never change, and calls refer to them. */
@Entity('agent_versions')
export class AgentVersion {
  @PrimaryColumn('uuid') agentId: string;

  @PrimaryColumn('integer') version: number;

  // The column is in the key for the foreign key of calls, which must not cross workspaces.
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Agent, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn(workspaceForeignKey('agent_id'))
  agent: Agent;

  @Column('jsonb') snapshot: AgentSnapshot;

  /** The tools that the agent names in its actions, as they were. */
  @Column('jsonb', { default: [] }) tools: PinnedTool[];

  /** The values and answers that its calls are to yield. null: nothing */
  @Column('jsonb', { nullable: true }) analysis: AgentAnalysis | null;

  /** null: the server, or an earlier release did not store the actor */
  @Column('jsonb', { nullable: true }) createdBy: Actor | null;

  /** The version that it is a copy of. null: it came from a change */
  @Column('integer', { nullable: true }) restoredFrom: number | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}

/** The part of a version that its calls depend on. */
export type PinnedConfiguration = Pick<AgentVersion, 'snapshot' | 'tools' | 'analysis'>;
