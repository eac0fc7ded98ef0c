import { Column, Entity, OneToOne, PrimaryColumn, JoinColumn } from 'typeorm';
import { Workspace } from '../../../accounts/workspaces/workspace.entity';

/**
 * The time up to which the calls of a workspace are rolled up. Every change of its rollups changes this row, and so
 * locks it.
 */
@Entity('call_rollup_states')
export class CallRollupState {
  @PrimaryColumn('uuid') workspaceId: string;

  @OneToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  workspace: Workspace;

  /**
   * All calls created before this time have ended and are in the rollups, and no other call is. It is the start of
   * a bucket.
   */
  @Column({ type: 'timestamptz', precision: 3, default: () => `'-infinity'` }) rolledUpUntil: Date;

  /** All calls created before this time are in segments too, and no other call is. It is the end of a segment. */
  @Column({ type: 'timestamptz', precision: 3, default: () => `'-infinity'` }) segmentedUntil: Date;

  /**
   * A statement that has read rows without a lock compares the revision, because the rollups may have changed
   * meanwhile.
   */
  @Column('bigint', { default: 0 }) revision: string;
}
