import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { Agent } from '../agents/agent.entity';
import { workspaceForeignKey } from '../database/workspace-foreign-key';
import { Workspace } from '../workspaces/workspace.entity';

export const CAMPAIGN_STATUSES = ['scheduled', 'running', 'completed', 'failed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Calls to many recipients. Its row is also its job: runners look for rows that are not at their end. */
@Entity('campaigns')
@Index(['workspaceId', 'createdAt'])
@Index('campaigns_going_on', ['scheduleTime'], { where: `status IN ('scheduled', 'running')` })
@Check('campaigns_status_known', `status IN ('scheduled', 'running', 'completed', 'failed')`)
@Check('campaigns_failed_has_reason', `(status = 'failed') = (failure_reason IS NOT NULL)`)
@Check('campaigns_has_recipients', `recipient_count > 0`)
export class Campaign {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('uuid') agentId: string;

  @ManyToOne(() => Agent, { nullable: false })
  @JoinColumn(workspaceForeignKey('agent_id'))
  agent: Agent;

  /** Who made it, and whose its calls are. */
  @Column('text') userId: string;

  @Column('text') name: string;

  @Column('text', { default: 'scheduled' }) status: CampaignStatus;

  /** Why it can't go on. */
  @Column('text', { nullable: true }) failureReason: string | null;

  /** Nobody is called before. */
  @Column({ type: 'timestamptz', precision: 3 }) scheduleTime: Date;

  @Column('integer') recipientCount: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt: Date;
}
