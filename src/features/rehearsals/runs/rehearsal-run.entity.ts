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
import { byName, literals } from '../../../platform/database/closed-list';
import type { PinnedConfiguration } from '../../agents/agent-version.entity';
import { Agent } from '../../agents/agent.entity';

/** `error`: something was not played, and nothing failed. */
export const RUN_STATUSES = ['queued', 'running', 'passed', 'failed', 'error', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const RUN_STATUS = byName(RUN_STATUSES);

/** `publish`: a new version of a gated agent */
export const RUN_CAUSES = ['api', 'publish'] as const;
export type RunCause = (typeof RUN_CAUSES)[number];
export const RUN_CAUSE = byName(RUN_CAUSES);

/** In real time: `audio`, the agent and the person speak; `joined`, the person of the server joins the runtime's call. */
export const RUN_MODES = ['text', 'audio', 'joined'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/** SQL: the version that a result is of, from the row of the result and that of its run. */
export const PLAYED_VERSION = 'CASE WHEN against THEN against_version ELSE agent_version END';

/** SQL: the configuration that is played in the place of that version, if any. */
export const PLAYED_CONFIGURATION = 'CASE WHEN NOT against THEN configuration END';

/** SQL: whether a run goes on. */
export const IS_OPEN = 'ended_at IS NULL';

/** SQL: whether a result that is not over is of a run with this mode. @param result its row */
const isOfMode = (mode: RunMode) => (result: string) =>
  `${result}.run_id IN (SELECT id FROM rehearsal_runs WHERE ${IS_OPEN} AND mode = '${mode}')`;

export const isSpoken = isOfMode('audio');
export const isJoined = isOfMode('joined');

/** The numbers of a run's calls by what came of them. */
export interface RunCounts {
  total: number;
  /** The number without those of the version with which the run is compared. */
  own: number;
  done: number;
  passed: number;
  failed: number;
  errors: number;
  /** Why the first of them was not played. */
  error: string | null;
  tokens: number;
}

/** The largest number of tokens. As the limit of a run, it leaves only that of the workspace for a day. */
export const MAX_STORED_TOKENS = 2_147_483_647;

/** Some rehearsals of a version of an agent, each played once or several times. */
@Entity('rehearsal_runs')
@Index(['workspaceId', 'createdAt'])
@Index(['endedAt'], { where: 'ended_at IS NOT NULL' })
@Index('rehearsal_runs_open_idx', ['workspaceId'], { where: IS_OPEN })
@Check('rehearsal_runs_status_known', `status IN (${literals(RUN_STATUSES)})`)
@Check('rehearsal_runs_cause_known', `cause IN (${literals(RUN_CAUSES)})`)
@Check('rehearsal_runs_mode_known', `mode IN (${literals(RUN_MODES)})`)
export class RehearsalRun {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @Column('uuid') agentId: string;

  @ManyToOne(() => Agent, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'agent_id', referencedColumnName: 'id' },
    { name: 'workspace_id', referencedColumnName: 'workspaceId' },
  ])
  agent: Agent;

  @Column('integer') agentVersion: number;

  /** The names of the fields that it plays with other values than its version has. */
  @Column('text', { array: true, nullable: true }) fields: string[] | null;

  /** The configuration that it plays in the place of its version, until it ends. */
  @Column('jsonb', { nullable: true, select: false }) configuration: PinnedConfiguration | null;

  /** The version with which it is compared. */
  @Column('integer', { nullable: true }) againstVersion: number | null;

  @Column('text') cause: RunCause;

  @Column('text') mode: RunMode;

  /** The seed of the first repetition. Each further one has the next number. */
  @Column('integer') seed: number;

  @Column('integer') repeat: number;

  /** No further call begins when they have taken this many tokens. */
  @Column('integer') maxTokens: number;

  @Column('text', { default: RUN_STATUS.queued }) status: RunStatus;

  /** The user who has started it. */
  @Column('text') createdBy: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) endedAt: Date | null;

  /** Counted when it ended. null: it goes on, or a release ended it that did not count. */
  @Column('jsonb', { nullable: true }) counted: RunCounts | null;

  /** The hash of the bytes of its report. null: it goes on, or was cancelled. */
  @Column('text', { nullable: true }) reportSha256: string | null;
}
