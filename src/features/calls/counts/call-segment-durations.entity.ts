import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CallSegment } from './call-segment.entity';

/**
 * The durations of the calls of a segment, in seconds and sorted, so that calls between two bounds are counted by a
 * binary search. Postgres stores the arrays in the row and uncompressed.
 */
@Entity('call_segment_durations')
export class CallSegmentDurations {
  @PrimaryColumn('uuid') workspaceId: string;

  /** The start of the segment. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  @ManyToOne(() => CallSegment, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'workspace_id', referencedColumnName: 'workspaceId' },
    { name: 'starts_at', referencedColumnName: 'startsAt' },
  ])
  segment: CallSegment;

  @Column('integer', { array: true }) connected: number[];

  @Column('integer', { array: true }) failed: number[];
}
