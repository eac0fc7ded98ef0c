import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CallRollupState } from './call-rollup-state.entity';
import type { CallType } from '../model/call-states';

/** Counts and sums of the rolled-up calls of one subject and type that were created in one bucket of time. */
@Entity('call_rollups')
export class CallRollup {
  @Column('uuid') workspaceId: string;

  @ManyToOne(() => CallRollupState, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_id', referencedColumnName: 'workspaceId' })
  state: CallRollupState;

  /** The id of an agent, or of the workspace for all of its agents. */
  @PrimaryColumn('uuid') subjectId: string;

  /** The length of the bucket: 15, or 1440 for a UTC day, whose row is the sum of its quarters of an hour. */
  @PrimaryColumn('smallint') bucketMinutes: number;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  @PrimaryColumn('text') callType: CallType;

  /** Calls that were connected. */
  @Column('integer') connected: number;

  @Column('integer') failed: number;

  /** The seconds that the connected calls lasted. */
  @Column('bigint') seconds: string;

  /** The cost of all calls. */
  @Column('bigint') credits: string;
}
