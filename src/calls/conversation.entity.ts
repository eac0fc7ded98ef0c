import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import { Agent } from '../agents/agent.entity';
import { workspaceForeignKey } from '../database/workspace-foreign-key';
import { Workspace } from '../workspaces/workspace.entity';

export const CONVERSATION_STATUSES = ['queued', 'accepted', 'connected', 'disconnected', 'failed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

export const CALL_TYPES = ['phonecall', 'webcall'] as const;
export type CallType = (typeof CALL_TYPES)[number];

export const DIRECTIONS = ['outbound', 'inbound'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Why a call ended, as a worker may report it. */
export const WORKER_DISCONNECT_REASONS = [
  'user_hangup',
  'agent_hangup',
  'call_transfer',
  'voicemail_reached',
  'inactivity',
  'max_duration_reached',
  'dial_busy',
  'dial_no_answer',
  'dial_failed',
  'invalid_destination',
  'cancelled',
  'error',
] as const;

/** Why a call ended; the last three, only the server can tell. */
export const DISCONNECT_REASONS = [
  ...WORKER_DISCONNECT_REASONS,
  'dispatch_failed',
  'dispatch_expired',
  'worker_lost',
] as const;
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number];

export const PARTIES = ['user', 'agent', 'system'] as const;
export type Party = (typeof PARTIES)[number];

/** What the caller of start call asked for, beyond the columns; '' where it said nothing. */
export interface CallRequest {
  greeting: string;
  dynamic_variables: Record<string, string>;
  customer_name: string;
  webhook_url: string;
  external_id: string;
  memory_id: string;
  style: string;
}

const time = { type: 'timestamptz', precision: 3 } as const;

/** One constant: Postgres reads the checks anew in every statement, and IN with each of its values costs it twice as much. */
const isOneOf = (column: string, values: readonly string[]) => `${column} = ANY ('{${values.join()}}')`;

/** What a list shows of a conversation. */
export type NarrowConversation = Omit<Conversation, WideColumn>;

export type WideColumn = 'request' | 'agentSnapshot';

/**
 * One call, from its acceptance to its end. While it is `queued` the row is its own outbox: it holds all that the
 * message to the runtime needs.
 */
@Entity('conversations')
@Index(['workspaceId', 'agentId', 'createdAt'])
@Index('conversations_statistics', [
  'workspaceId',
  'createdAt',
  'id',
  'agentId',
  'status',
  'callType',
  'durationSec',
])
@Index('conversations_of_campaign', ['campaignId', 'status'], { where: 'campaign_id IS NOT NULL' })
@Index('conversations_queued', ['expiresAt'], { where: `status = 'queued'` })
@Index('conversations_under_way', ['heartbeatAt'], { where: `status IN ('accepted', 'connected')` })
@Check('conversations_status_known', isOneOf('status', CONVERSATION_STATUSES))
@Check('conversations_call_type_known', isOneOf('call_type', CALL_TYPES))
@Check('conversations_direction_known', isOneOf('direction', DIRECTIONS))
@Check('conversations_disconnect_reason_known', isOneOf('disconnect_reason', DISCONNECT_REASONS))
@Check('conversations_disconnected_by_known', isOneOf('disconnected_by', PARTIES))
@Check(
  'conversations_claimed_once',
  `(${isOneOf('status', ['accepted', 'connected'])}) <= (token IS NOT NULL)`,
)
@Check(
  'conversations_over_has_end',
  `(${isOneOf('status', ['disconnected', 'failed'])}) = (ended_at IS NOT NULL)`,
)
@Check('conversations_ended_has_reason', `(ended_at IS NULL) = (disconnect_reason IS NULL)`)
export class Conversation {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('uuid') agentId: string;

  @ManyToOne(() => Agent, { nullable: false })
  @JoinColumn(workspaceForeignKey('agent_id'))
  agent: Agent;

  @Column('text') userId: string;

  @Column('uuid', { nullable: true }) campaignId: string | null;

  @Column('text', { default: 'queued' }) status: ConversationStatus;

  @Column('text') callType: CallType;

  @Column('text') direction: Direction;

  @Column('text') channel: string;

  /** E.164, or '' for a web call without one. */
  @Column('text') toNumber: string;

  /** E.164, or '' where the worker's trunk decides. */
  @Column('text') fromNumber: string;

  @Column('jsonb', { select: false }) request: CallRequest;

  @Column('integer') agentVersion: number;

  /** The agent as it was at acceptance, variables not yet filled in. */
  @Column('jsonb', { select: false }) agentSnapshot: Record<string, unknown>;

  /** Credits taken at acceptance, given back when the call ends. */
  @Column('integer') hold: number;

  /** Credits that the call cost, once it has ended. */
  @Column('integer', { default: 0 }) charge: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  /** Nobody may claim it from then on. */
  @Column(time) expiresAt: Date;

  @Column(time) lastPublishAt: Date;

  /** When the broker is known to have its message; written late and in batches. */
  @Column({ ...time, nullable: true }) dispatchedAt: Date | null;

  @Column('uuid', { nullable: true }) claimId: string | null;

  /** What the worker that holds the call puts into its events. */
  @Column('uuid', { nullable: true }) token: string | null;

  @Column('text', { nullable: true }) workerId: string | null;

  @Column({ ...time, nullable: true }) acceptedAt: Date | null;

  @Column({ ...time, nullable: true }) heartbeatAt: Date | null;

  /** When somebody asked for its end from outside, while a runtime held it. */
  @Column({ ...time, nullable: true }) hangupRequestedAt: Date | null;

  @Column({ ...time, nullable: true }) connectedAt: Date | null;

  @Column({ ...time, nullable: true }) endedAt: Date | null;

  @Column('integer', { default: 0 }) durationSec: number;

  @Column('text', { nullable: true }) disconnectReason: DisconnectReason | null;

  @Column('text', { nullable: true }) disconnectedBy: Party | null;

  @Column('text', { default: '' }) summary: string;

  @Column('text', { default: '' }) processCompliance: string;

  @Column('text', { default: '' }) outcome: string;
}
