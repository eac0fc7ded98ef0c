import { Check, Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

/** The number of calls that a key, and all credentials that descend from it, may start in one UTC day. */
@Entity('call_caps')
@Check('call_caps_kept', 'started_calls <= calls_per_day')
@Check('call_caps_positive', 'calls_per_day > 0')
// The foreign key of keys, which belong to the same workspace, refers to this index.
@Index(['id', 'workspaceId'], { unique: true })
export class CallCap {
  /** The id of the key for which it was made. */
  @PrimaryColumn('uuid') id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('integer') callsPerDay: number;

  /** The UTC day of `startedCalls`. null: no call was started. */
  @Column('date', { nullable: true }) startedOn: string | null;

  /** The calls that were started on that day. */
  @Column('integer', { default: 0 }) startedCalls: number;
}
