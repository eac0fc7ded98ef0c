import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { Conversation } from '../calls/model/conversation.entity';

/**
 * `running` is recorded, and perhaps sent; `done` was done; `refused` and `failed` were not; `unknown` may have been.
 */
export const INVOCATION_STATES = ['running', 'done', 'refused', 'failed', 'unknown'] as const;
export type InvocationState = (typeof INVOCATION_STATES)[number];
export const INVOCATION_STATE = byName(INVOCATION_STATES);

export const SETTLED_BY = ['server', 'person'] as const;
export type SettledBy = (typeof SETTLED_BY)[number];

/** The states in which the same asking sends nothing more. */
const BLOCKING = literals(['running', 'done', 'unknown'] satisfies InvocationState[]);

/** SQL: whether an invocation keeps the same one from being sent. */
export const IS_BLOCKING = `state IN (${BLOCKING})`;

/** One asking of a runtime for a tool, and what came of it. */
@Entity('tool_invocations')
@Index('tool_invocations_key', ['conversationId', 'key'], { unique: true })
@Index('tool_invocations_once', ['conversationId', 'sameAs'], { unique: true, where: IS_BLOCKING })
@Index('tool_invocations_running', ['leaseUntil'], { where: `state = 'running'` })
@Index('tool_invocations_listed', ['workspaceId', 'askedAt', 'id'])
@Index('tool_invocations_unknown', ['workspaceId', 'askedAt'], { where: `state = 'unknown'` })
@Check('tool_invocations_state_known', `state = ANY ('{${INVOCATION_STATES.join()}}')`)
@Check('tool_invocations_settled_by_known', `settled_by = ANY ('{${SETTLED_BY.join()}}')`)
@Check(
  'tool_invocations_settled',
  `(state = 'running') = (settled_at IS NULL) AND (settled_at IS NULL) = (settled_by IS NULL)`,
)
export class ToolInvocation {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @Column('uuid') conversationId: string;

  @ManyToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' }) conversation: Conversation;

  @Column('uuid') agentId: string;

  /** The tool may have been deleted since. null: an action with an address of its own */
  @Column('uuid', { nullable: true }) toolId: string | null;

  @Column('text') tool: string;

  /** The `Idempotency-Key` of the asking: the same key is the same invocation. */
  @Column('text') key: string;

  /** A hash of the arguments that make two askings the same. null: each asking is another one */
  @Column('text', { nullable: true }) sameAs: string | null;

  @Column('jsonb') arguments: Record<string, unknown>;

  @Column('text') state: InvocationState;

  @Column('jsonb', { nullable: true }) result: unknown;

  @Column('text', { nullable: true }) error: string | null;

  /** Values of the answer that have become variables of the call. */
  @Column('jsonb', { default: {} }) variables: Record<string, string>;

  /** The number of requests that were sent; at least one for each server that has left it. */
  @Column('integer', { default: 0 }) attempts: number;

  /** The number of further askings for the same, which sent nothing. */
  @Column('integer', { default: 0 }) repeats: number;

  /** The time within which its server settles it, in milliseconds. */
  @Column('integer') leaseMs: number;

  /** The time from which on another server may go on with it. */
  @Column({ type: 'timestamptz', precision: 3 }) leaseUntil: Date;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) askedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) settledAt: Date | null;

  /** The one that settled it. null: it runs */
  @Column('text', { nullable: true }) settledBy: SettledBy | null;

  /** The words of the person that settled it. */
  @Column('text', { default: '' }) note: string;
}
