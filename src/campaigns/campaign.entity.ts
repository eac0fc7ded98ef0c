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
import { literals } from '../database/closed-list';
import { workspaceForeignKey } from '../database/workspace-foreign-key';
import { Workspace } from '../workspaces/workspace.entity';
import { CAMPAIGN_STATUS, CAMPAIGN_STATUSES, type CampaignStatus, OPEN_STATUSES } from './campaign-status';

/** Calls to many recipients. The row is also the job: runners look for campaigns that have not ended. */
@Entity('campaigns')
@Index(['workspaceId', 'createdAt'])
@Index('campaigns_going_on', ['scheduleTime'], { where: `status IN (${literals(OPEN_STATUSES)})` })
@Check('campaigns_status_known', `status IN (${literals(CAMPAIGN_STATUSES)})`)
@Check('campaigns_failed_has_reason', `(status = '${CAMPAIGN_STATUS.failed}') = (failure_reason IS NOT NULL)`)
@Check('campaigns_has_recipients', `recipient_count > 0`)
export class Campaign {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('uuid') agentId: string;

  @ManyToOne(() => Agent, { nullable: false })
  @JoinColumn(workspaceForeignKey('agent_id'))
  agent: Agent;

  /** The user who created it. Its calls belong to this user. */
  @Column('text') userId: string;

  @Column('text') name: string;

  @Column('text', { default: CAMPAIGN_STATUS.scheduled }) status: CampaignStatus;

  /** Why it cannot continue; set if and only if it failed. */
  @Column('text', { nullable: true }) failureReason: string | null;

  /** No recipient is called before this time. */
  @Column({ type: 'timestamptz', precision: 3 }) scheduleTime: Date;

  @Column('integer') recipientCount: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt: Date;
}
