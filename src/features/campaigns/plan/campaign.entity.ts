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
import { Agent } from '../../agents/agent.entity';
import { literals } from '../../../platform/database/closed-list';
import { workspaceForeignKey } from '../../../platform/database/workspace-foreign-key';
import { Workspace } from '../../../accounts/workspaces/workspace.entity';
import {
  CAMPAIGN_STATUS,
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  OPEN_STATUSES,
  RECIPIENT_STATUSES,
  type RecipientStatus,
  type WaitingReason,
} from './campaign-status';
import type { RetryPolicy } from './retry-policy';
import type { CallingWindow } from './windows';

/** The column with the number of recipients in a status. */
export const getCountColumn = (status: RecipientStatus) => `count_${status}`;

export const DEFAULT_TIMEZONE = 'UTC';

/** Calls to many recipients. The row is also the job: runners look for campaigns that have not ended. */
@Entity('campaigns')
@Index(['workspaceId', 'createdAt'])
@Index('campaigns_going_on', ['scheduleTime'], { where: 'NOT is_over' })
@Check('campaigns_status_known', `status IN (${literals(CAMPAIGN_STATUSES)})`)
@Check('campaigns_failed_has_reason', `(status = '${CAMPAIGN_STATUS.failed}') = (failure_reason IS NOT NULL)`)
@Check('campaigns_has_recipients', `recipient_count > 0`)
@Check(
  'campaigns_recipients_add_up',
  `${RECIPIENT_STATUSES.map(getCountColumn).join(' + ')} = recipient_count`,
)
@Check('campaigns_results_add_up', 'count_voicemail + count_inactivity <= count_disconnected')
@Check('campaigns_open_is_not_over', `NOT (is_over AND status IN (${literals(OPEN_STATUSES)}))`)
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

  /** The reason why the campaign cannot continue; set if and only if it failed. */
  @Column('text', { nullable: true }) failureReason: string | null;

  /** No recipient is called before this time. */
  @Column({ type: 'timestamptz', precision: 3 }) scheduleTime: Date;

  /** Whether the time of the campaign came, or it was resumed after that. */
  @Column('boolean', { default: false }) hasBegun: boolean;

  @Column('integer') recipientCount: number;

  /** Whether nothing is left to do: the campaign and its calls have ended. */
  @Column('boolean', { default: false }) isOver: boolean;

  /** The time zone of the recipients without a zone of their own. */
  @Column('text', { default: DEFAULT_TIMEZONE }) timezone: string;

  /** Empty: recipients may be called at any time. */
  @Column('jsonb', { default: [] }) windows: CallingWindow[];

  /** The number of calls in progress; null: CAMPAIGN_CONCURRENCY. */
  @Column('integer', { nullable: true }) concurrency: number | null;

  /** null: there is no limit */
  @Column('double precision', { nullable: true }) callsPerSecond: number | null;

  /** The time until which the calls that were started use up the rate. */
  @Column('timestamptz', { nullable: true }) pacedUntil: Date | null;

  @Column('jsonb', { nullable: true }) retry: RetryPolicy | null;

  @Column('text', { default: '' }) webhookUrl: string;

  /** The time after which recipients without a call are skipped. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expiresAt: Date | null;

  /** The reason why nothing is dialled, as the runner stored it last. */
  @Column('text', { nullable: true }) waiting: WaitingReason | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) waitingSince: Date | null;

  /** The number of recipients for each outcome of their last calls. */
  @Column('jsonb', { default: {} }) outcomes: Record<string, number>;

  /**
   * The same counts of the recipients that will be called again. A name stays after it was counted, so that it is
   * found again.
   */
  @Column('jsonb', { default: {} }) retryingOutcomes: Record<string, number>;

  @Column('integer', { default: 0 }) countPending: number;
  @Column('integer', { default: 0 }) countCalling: number;
  @Column('integer', { default: 0 }) countRetrying: number;
  @Column('integer', { default: 0 }) countLost: number;
  @Column('integer', { default: 0 }) countDisconnected: number;
  /** The disconnected recipients whose last call reached a voicemail. */
  @Column('integer', { default: 0 }) countVoicemail: number;
  /** The disconnected recipients whose last call ended in silence. */
  @Column('integer', { default: 0 }) countInactivity: number;
  @Column('integer', { default: 0 }) countFailed: number;
  @Column('integer', { default: 0 }) countSkipped: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt: Date;
}
