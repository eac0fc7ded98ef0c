import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CallRollupState } from './call-rollup-state.entity';

/** A time in which some hundred rolled-up calls of a workspace were created. Between two segments there is no call. */
@Entity('call_segments')
export class CallSegment {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => CallRollupState, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_id', referencedColumnName: 'workspaceId' })
  state: CallRollupState;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  /** The end of the segment, exclusive. */
  @Column({ type: 'timestamptz', precision: 3 }) endsAt: Date;
}
