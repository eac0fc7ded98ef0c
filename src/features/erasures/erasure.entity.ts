import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

/**
 * `waiting`: the erasure waits for calls that are under way or have just ended, or for an Idempotency-Key with the
 * number in it.
 */
export const ERASURE_STATUSES = ['pending', 'running', 'waiting', 'completed'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];
export const ERASURE_STATUS = byName(ERASURE_STATUSES);

const COMPLETED = `(status = '${ERASURE_STATUS.completed}')`;

/** The removal of one person from a workspace: the job itself, and the proof of it. */
@Entity('erasures')
@Index(['workspaceId', 'createdAt'])
@Index('erasures_open', ['workspaceId', 'phoneNumber'], { unique: true, where: 'phone_number IS NOT NULL' })
@Index(['completedAt'], { where: 'completed_at IS NOT NULL' })
@Check('erasures_status_known', `status IN (${literals(ERASURE_STATUSES)})`)
@Check(
  'erasures_completed_forgets_number',
  `${COMPLETED} = (phone_number IS NULL) AND ${COMPLETED} = (due_at IS NULL)
   AND ${COMPLETED} = (completed_at IS NOT NULL)`,
)
export class Erasure {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** E.164; null once the erasure is completed. */
  @Column('text', { nullable: true }) phoneNumber: string | null;

  @Column('text', { default: ERASURE_STATUS.pending }) status: ErasureStatus;

  /** Each repeated request raises it, so that the erasure does not complete without another pass. */
  @Column('integer', { default: 1 }) revision: number;

  /** The number of calls that were erased so far. */
  @Column('integer', { default: 0 }) calls: number;

  /** The number of recipients of campaigns that were erased so far. */
  @Column('integer', { default: 0 }) recipients: number;

  /** The number of calls that the last pass waited for. */
  @Column('integer', { default: 0 }) callsUnderWay: number;

  /** Whether the number was on the do-not-call list, and stays on it. */
  @Column('boolean', { default: false }) keptDoNotCall: boolean;

  /**
   * The time when a process may work on the erasure. It is in the future while one does, so that another one takes
   * over if that one is killed.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, default: () => 'now()' }) dueAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completedAt: Date | null;
}
