import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CallRollupState } from './call-rollup-state.entity';

/** The changes of call durations by late reports since the segments of the calls were counted. */
@Entity('call_duration_corrections')
export class CallDurationCorrection {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => CallRollupState, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_id', referencedColumnName: 'workspaceId' })
  state: CallRollupState;

  /** The quarter of an hour of the corrected calls: a statement cannot see a segment that was added since it began. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  @PrimaryColumn('integer') durationSec: number;

  /** Differences, which may be negative. */
  @Column('integer') connected: number;

  @Column('integer') failed: number;
}
