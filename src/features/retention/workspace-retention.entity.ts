import { Check, Column, CreateDateColumn, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

const time = { type: 'timestamptz', precision: 3, default: '-infinity' } as const;

/** The limits of the days after its end for which data of a call may be kept. */
export const DAYS = { min: 1, max: 36_500 };

/** The number of calls that a preview reads, so that its time is short however many there are. */
export const MAX_COUNTED = 50_000;

/** The time for which a workspace keeps the data of its calls, in days after the end of a call. null: for ever */
@Entity('workspace_retention')
@Check(
  'workspace_retention_days',
  `LEAST(transcripts_days, recordings_days, calls_days) >= ${DAYS.min}
   AND GREATEST(transcripts_days, recordings_days, calls_days) <= ${DAYS.max}`,
)
export class WorkspaceRetention {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('integer', { nullable: true }) transcriptsDays: number | null;

  @Column('integer', { nullable: true }) recordingsDays: number | null;

  @Column('integer', { nullable: true }) callsDays: number | null;

  /** The calls that were created before it have no transcript any more. */
  @Column(time) transcriptsUntil: Date;

  /** The calls that were created before it have no recording any more. */
  @Column(time) recordingsUntil: Date;

  /** The revision, which each change raises, so that a walk by an earlier setting stores no progress. */
  @Column('integer', { default: 1 }) revision: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) changedAt: Date;
}
