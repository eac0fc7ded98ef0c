import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ManyToOne,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

export const ENDPOINT_STATUSES = ['ok', 'failing', 'paused', 'off'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
export const ENDPOINT_STATUS = byName(ENDPOINT_STATUSES);

/** `gone`: it answered 410. `failing`: it failed for too long. */
export const PAUSED_REASONS = ['gone', 'failing'] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

const time = { type: 'timestamptz', precision: 3 } as const;

/** An address that gets the events of a workspace, or of some agents. */
@Entity('webhook_endpoints')
@Index(['workspaceId', 'createdAt'])
@Check('webhook_endpoints_status_known', `status IN (${literals(ENDPOINT_STATUSES)})`)
@Check(
  'webhook_endpoints_failing_is_probed',
  `(status = '${ENDPOINT_STATUS.failing}') = (probe_at IS NOT NULL)`,
)
@Check(
  'webhook_endpoints_paused_has_reason',
  `(status = '${ENDPOINT_STATUS.paused}') = (paused_reason IS NOT NULL)`,
)
@Check('webhook_endpoints_agents_not_empty', `agent_ids <> '{}'`)
export class WebhookEndpoint {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') url: string;

  /** The types, or `*` alone. */
  @Column('text', { array: true }) events: string[];

  /** null: the events of all agents, and those of none. An agent that is deleted stays in the list. */
  @Column('uuid', { array: true, nullable: true }) agentIds: string[] | null;

  @Column('text', { default: '' }) description: string;

  @Column('text', { default: ENDPOINT_STATUS.ok }) status: EndpointStatus;

  @Column({ ...time, default: () => 'now()' }) statusSince: Date;

  @Column('text', { nullable: true }) pausedReason: PausedReason | null;

  /** The number of attempts in a row that have failed. */
  @Column('integer', { default: 0 }) failures: number;

  /** The number of probes since it is failing. */
  @Column('integer', { default: 0 }) probes: number;

  /** The time of the next probe. */
  @Column({ ...time, nullable: true }) probeAt: Date | null;

  /** The time of a success, at most ten seconds before the latest one. */
  @Column({ ...time, nullable: true }) lastDeliveredAt: Date | null;

  /** The error of the latest attempt that failed. */
  @Column('text', { nullable: true }) lastError: string | null;

  /** It signs what is sent to the address. It is stored as plain text, because signing needs it. */
  @Column('text', { select: false }) secret: string;

  /** The previous secret, which also signs until it expires. */
  @Column('text', { nullable: true, select: false }) previousSecret: string | null;

  @Column({ ...time, nullable: true, select: false }) previousExpiresAt: Date | null;

  @CreateDateColumn(time) createdAt: Date;

  @UpdateDateColumn(time) updatedAt: Date;
}
