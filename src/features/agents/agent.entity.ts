import {
  Check,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  Index,
  ManyToOne,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { literals } from '../../platform/database/closed-list';
import type { Actor } from '../../platform/http/actor';
import { PUBLISH_MODES, type PublishMode } from '../../accounts/workspaces/publish-modes';
import { Workspace } from '../../accounts/workspaces/workspace.entity';
import type { AgentAnalysis } from './agent-analysis';
import type { AgentConfig } from './agent-defaults';
import {
  AGENT_TYPES,
  type AgentType,
  DEPLOYMENT_STATUS,
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
} from './agent-types';

/** The state of the newest version of an agent. If the agent is not gated, calls use it, and only its number and time count. */
export class Deployment {
  @Column('text', { default: DEPLOYMENT_STATUS.draft }) status: DeploymentStatus;

  /** Raised by each change that matters to calls. */
  @Column('integer', { default: 1 }) version: number;

  /** The time since which calls use the active version. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) deployedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 }) lastUpdated: Date;

  @Column('text', { nullable: true }) error: string | null;
}

/** SQL: whether the newest version of an agent waits for its rehearsals. */
export const IS_DEPLOYING = `gated AND deployment_status = '${DEPLOYMENT_STATUS.deploying}' AND deleted_at IS NULL`;

/** An agent without the wide columns. */
export type NarrowAgent = Omit<Agent, 'config' | 'analysis'>;

@Entity('agents')
@Index(['workspaceId', 'createdAt'])
// Foreign keys that must not cross workspaces refer to this index.
@Index(['id', 'workspaceId'], { unique: true })
@Index(['workspaceId', 'slug'], { unique: true, where: 'deleted_at IS NULL' })
@Index('agents_deploying_idx', ['workspaceId'], { where: IS_DEPLOYING })
@Check('agents_publish_known', `publish IN (${literals(PUBLISH_MODES)})`)
@Check('agents_type_known', `type IN (${literals(AGENT_TYPES)})`)
@Check('agents_deployment_status_known', `deployment_status IN (${literals(DEPLOYMENT_STATUSES)})`)
export class Agent {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') userId: string;

  @Column('text') name: string;

  /** The name in files. A trigger makes it of the first name, and it never changes. A deleted agent leaves it to others. */
  @Column('text') slug: string;

  @Column('text') type: AgentType;

  @Column('text', { array: true, default: '{}' }) category: string[];

  /** False: the agent makes and accepts no calls. */
  @Column('boolean', { default: true }) status: boolean;

  /** All other fields that a client may set, up to a megabyte. Queries read the column only when they select it. */
  @Column('jsonb', { select: false }) config: AgentConfig;

  /** null: its calls are to yield nothing */
  @Column('jsonb', { nullable: true, select: false }) analysis: AgentAnalysis | null;

  @Column(() => Deployment) deployment: Deployment;

  /** The way of its new versions to calls. null: as the workspace says */
  @Column('text', { nullable: true }) publish: PublishMode | null;

  /** Whether `publish`, or else that of the workspace, is `gated`. */
  @Column('boolean', { default: false }) gated: boolean;

  /** The version of a gated agent that calls use. null: none yet */
  @Column('integer', { nullable: true }) activeVersion: number | null;

  /** The type of the agent in its active version. */
  @Column('text', { nullable: true }) activeType: AgentType | null;

  /** The version of a gated agent that calls used before. */
  @Column('integer', { nullable: true }) previousVersion: number | null;

  /** The last who has made a version of the gated agent, or asked to publish it. */
  @Column('jsonb', { nullable: true }) deploymentBy: Actor | null;

  /** The run of rehearsals on which the newest version of a gated agent depends, or depended. It may have been deleted. */
  @Column('uuid', { nullable: true }) deploymentRunId: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt: Date;

  /** The last who changed it. null: the server itself, or an earlier release */
  @Column('jsonb', { nullable: true }) updatedBy: Actor | null;

  /** The rows of deleted agents stay, because calls refer to them. */
  @DeleteDateColumn({ type: 'timestamptz', precision: 3 }) deletedAt: Date | null;
}
