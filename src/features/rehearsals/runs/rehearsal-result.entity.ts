import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { byName, literals } from '../../../platform/database/closed-list';
import type { RehearsalFacts } from '../../../platform/messaging/wire';
import type { RehearsalDefinition } from '../rehearsal-definition';
import type { CheckResult } from './grade';
import type { ReportedParts, ToolUse } from './joined-parts';
import { RehearsalRun } from './rehearsal-run.entity';

/** `offered`: a runtime may claim it. `error`: it was not played to its end. */
export const RESULT_STATUSES = ['queued', 'offered', 'playing', 'passed', 'failed', 'error'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];
export const RESULT_STATUS = byName(RESULT_STATUSES);

/** SQL: whether a call is still to come or goes on. */
export const IS_UNFINISHED = 'ended_at IS NULL';

/** One call of a run. A runtime knows it as a call with this id. */
@Entity('rehearsal_results')
@Index(['runId', 'name', 'repeat', 'against'], { unique: true })
@Index('rehearsal_results_unfinished_idx', ['workspaceId', 'status', 'runId', 'position'], {
  where: IS_UNFINISHED,
})
// Release 1.3.0 sums tokens by this index.
@Index(['workspaceId', 'endedAt'])
@Index('rehearsal_results_tokens_idx', ['workspaceId', 'endedAt', 'tokens'], { where: 'tokens > 0' })
@Index(['workspaceId', 'personNumber'], { where: 'person_number IS NOT NULL' })
@Check('rehearsal_results_status_known', `status IN (${literals(RESULT_STATUSES)})`)
@Check(
  'rehearsal_results_end_fits_status',
  `(ended_at IS NULL) = (status IN (${literals(['queued', 'offered', 'playing'])}))`,
)
export class RehearsalResult {
  /** A UUID of version 8. */
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @Column('uuid') runId: string;

  @ManyToOne(() => RehearsalRun, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  run: RehearsalRun;

  /** The order within the run. */
  @Column('integer') position: number;

  @Column('text') name: string;

  @Column('integer') repeat: number;

  /** Whether the version is played with which the run is compared. */
  @Column('boolean', { default: false }) against: boolean;

  @Column('integer') seed: number;

  /** That of its rehearsal. An erasure of the person deletes the run. */
  @Column('text', { nullable: true }) personNumber: string | null;

  /** null: that of the first repetition. */
  @Column('jsonb', { nullable: true }) definition: RehearsalDefinition | null;

  @Column('text', { default: RESULT_STATUS.queued }) status: ResultStatus;

  /** The claims so far. One whose runtime is lost is played once more. */
  @Column('integer', { default: 0 }) attempts: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) publishedAt: Date | null;

  /** No runtime may claim it after this time. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expiresAt: Date | null;

  @Column('uuid', { nullable: true }) claimId: string | null;

  @Column('text', { nullable: true }) workerId: string | null;

  /** Proves that a runtime holds it. */
  @Column('uuid', { nullable: true }) token: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) acceptedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) heartbeatAt: Date | null;

  /** When its runtime said that it is over, before its facts were there. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) overAt: Date | null;

  /** When the person of the server took the address at which the runtime is joined. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) joinedAt: Date | null;

  /** The uses of tools that the server has answered. */
  @Column('jsonb', { default: [] }) toolUses: ToolUse[];

  /** The parts of the facts that the runtime has reported beside what was heard. */
  @Column('jsonb', { nullable: true }) reported: ReportedParts | null;

  /** The report of the runtime. */
  @Column('jsonb', { nullable: true }) facts: RehearsalFacts | null;

  @Column('jsonb', { nullable: true }) checks: CheckResult[] | null;

  /** Why it was not played, or not to its end. */
  @Column('text', { nullable: true }) error: string | null;

  @Column('integer', { default: 0 }) tokens: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) endedAt: Date | null;
}

/** SQL: the definition of a result. @param result the name of its row */
export const definitionOf = (result: string) => `
  COALESCE(${result}.definition, (
    SELECT definition FROM rehearsal_results AS first
    WHERE first.run_id = ${result}.run_id AND first.name = ${result}.name AND first.repeat = 1 AND NOT first.against))`;

/** The tokens that a second of a play counts, whose runtime says nothing about them. */
const TOKENS_PER_SECOND = 100;

/** SQL: the tokens of a result that was played and has no facts: nobody is to play for nothing. @param result its row */
export const tokensOf = (result: string) => `
  CASE WHEN ${result}.status = 'playing'
       THEN ${result}.tokens + LEAST(100000, ${TOKENS_PER_SECOND} * ceil(extract(epoch FROM now() - ${result}.accepted_at)))::int
       ELSE ${result}.tokens END`;
