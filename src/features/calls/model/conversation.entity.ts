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
import { type AgentSnapshot, AgentVersion } from '../../agents/agent-version.entity';
import type { Actor } from '../../../platform/http/actor';
import { Workspace } from '../../../accounts/workspaces/workspace.entity';
import type { CallRequest } from './call-request';
import {
  CALL_TYPES,
  type CallType,
  CLAIMED_STATUSES,
  CONVERSATION_STATUSES,
  type ConversationStatus,
  type Direction,
  DIRECTIONS,
  DISCONNECT_REASONS,
  type DisconnectReason,
  ENDED_STATUSES,
  IS_IN_PROGRESS,
  PARTIES,
  type Party,
  STATUS,
} from './call-states';

const time = { type: 'timestamptz', precision: 3 } as const;

/**
 * The constraint has no `IN`: Postgres parses it in every statement, and a list of values takes it twice as long.
 */
const isOneOf = (column: string, values: readonly string[]) => `${column} = ANY ('{${values.join()}}')`;

/** The longest address at which a web call can be joined. */
export const MAX_JOIN_URL_LENGTH = 2_048;

/**
 * One call, from its acceptance to its end. While it is `queued` the row is its own outbox: with the version
 * of its agent it has everything that the message to the runtime needs.
 */
@Entity('conversations')
@Index(['workspaceId', 'createdAt'])
@Index(['agentId', 'createdAt'])
// No index has a column that changes before the call ends: such a change would need an entry in every index.
@Index('conversations_in_progress', ['expiresAt'], { where: IS_IN_PROGRESS })
@Index('conversations_of_campaign_in_progress', ['campaignId'], {
  where: `campaign_id IS NOT NULL AND ${IS_IN_PROGRESS}`,
})
@Index('conversations_of_campaign_ended', ['campaignId', 'charge'], {
  where: 'campaign_id IS NOT NULL AND ended_at IS NOT NULL',
})
@Index('conversations_incoming_claim', ['incomingClaimId'], {
  unique: true,
  where: 'incoming_claim_id IS NOT NULL',
})
@Index('conversations_ended_person', { synchronize: false })
@Index('conversations_ended_line', { synchronize: false })
@Index('conversations_ended_external_id', { synchronize: false })
@Check('conversations_status_known', isOneOf('status', CONVERSATION_STATUSES))
@Check('conversations_call_type_known', isOneOf('call_type', CALL_TYPES))
@Check('conversations_direction_known', isOneOf('direction', DIRECTIONS))
@Check('conversations_disconnect_reason_known', isOneOf('disconnect_reason', DISCONNECT_REASONS))
@Check('conversations_disconnected_by_known', isOneOf('disconnected_by', PARTIES))
@Check('conversations_claimed_once', `(${isOneOf('status', CLAIMED_STATUSES)}) <= (token IS NOT NULL)`)
@Check('conversations_over_has_end', `(${isOneOf('status', ENDED_STATUSES)}) = (ended_at IS NOT NULL)`)
@Check(
  'conversations_join_complete',
  `num_nulls(join_url, join_expires_at) = 2 OR (num_nulls(join_url, join_expires_at) = 0 AND length(join_url) <= ${MAX_JOIN_URL_LENGTH})`,
)
@Check('conversations_ended_has_reason', `(ended_at IS NULL) = (disconnect_reason IS NULL)`)
export class Conversation {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('uuid') agentId: string;

  @Column('text') userId: string;

  @Column('uuid', { nullable: true }) campaignId: string | null;

  /**
   * The sender of the request. null: a campaign or a runtime began the call, or an earlier release did not store
   * it
   */
  @Column('jsonb', { nullable: true, select: false }) startedBy: Actor | null;

  @Column('text', { default: STATUS.queued }) status: ConversationStatus;

  @Column('text') callType: CallType;

  @Column('text') direction: Direction;

  @Column('text') channel: string;

  /** E.164, or '' for a web call without a number. */
  @Column('text') toNumber: string;

  /** E.164, or '' if the runtime's trunk decides. */
  @Column('text') fromNumber: string;

  /** The request without its empty fields. */
  @Column('jsonb', { select: false }) request: CallRequest;

  @Column('integer') agentVersion: number;

  /** The number of the campaign's attempt to reach this recipient. */
  @Column('smallint', { default: 1 }) attempt: number;

  @ManyToOne(() => AgentVersion, { nullable: false })
  @JoinColumn([
    { name: 'agent_id', referencedColumnName: 'agentId' },
    { name: 'agent_version', referencedColumnName: 'version' },
    { name: 'workspace_id', referencedColumnName: 'workspaceId' },
  ])
  versionOfAgent: AgentVersion;

  /** Always null. Servers of release 1.2.0 read the column, so a later release drops it. */
  @Column('jsonb', { nullable: true, select: false }) agentSnapshot: AgentSnapshot | null;

  /** Credits taken at acceptance and released when the call ends. */
  @Column('integer') hold: number;

  /** Credits that the call cost, set when it ends. */
  @Column('integer', { default: 0 }) charge: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  /** No runtime can claim the call from then on. */
  @Column(time) expiresAt: Date;

  @Column(time) lastPublishAt: Date;

  /** The time when the broker had confirmed the message; written late and in batches. */
  @Column({ ...time, nullable: true }) dispatchedAt: Date | null;

  @Column('uuid', { nullable: true }) claimId: string | null;

  /** The runtime that has claimed the call sends it in each event. An erased call has none any more. */
  @Column('uuid', { nullable: true }) token: string | null;

  @Column('text', { nullable: true }) workerId: string | null;

  /** A call that reached a runtime has the claim with which the runtime requested it. It never changes. */
  @Column('uuid', { nullable: true }) incomingClaimId: string | null;

  /**
   * The address at which the person of a web call can join it, with a secret; cleared when the call is connected
   * or ends.
   */
  @Column('text', { nullable: true, select: false }) joinUrl: string | null;

  @Column({ ...time, nullable: true, select: false }) joinExpiresAt: Date | null;

  /** The address at which users hear the call, with a secret; cleared when the call ends. */
  @Column('text', { nullable: true, select: false }) listenUrl: string | null;

  @Column({ ...time, nullable: true, select: false }) listenExpiresAt: Date | null;

  @Column({ ...time, nullable: true }) acceptedAt: Date | null;

  @Column({ ...time, nullable: true }) heartbeatAt: Date | null;

  /** The time when a client requested the hang-up, while a runtime held the call. */
  @Column({ ...time, nullable: true }) hangupRequestedAt: Date | null;

  /** null: no request, or an earlier release did not store the sender */
  @Column('jsonb', { nullable: true, select: false }) hangupRequestedBy: Actor | null;

  @Column({ ...time, nullable: true }) connectedAt: Date | null;

  @Column({ ...time, nullable: true }) endedAt: Date | null;

  @Column('integer', { default: 0 }) durationSec: number;

  @Column('text', { nullable: true }) disconnectReason: DisconnectReason | null;

  @Column('text', { nullable: true }) disconnectedBy: Party | null;

  @Column('text', { default: '' }) summary: string;

  @Column('text', { default: '' }) processCompliance: string;

  @Column('text', { default: '' }) outcome: string;

  /** The number of turns of its transcript that the runtime has sent, as it reported at the end. */
  @Column('integer', { nullable: true }) transcriptTurns: number | null;
}
