import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row, which shows how far a replica has followed the primary. */
@Entity('replica_timestamps')
@Check('replica_timestamps_one_row', 'id = 1')
export class ReplicaTimestamp {
  @PrimaryColumn('smallint', { default: 1 }) id: number;

  /** The time of the primary at which it wrote the row. A replica with the row has all that was committed by then. */
  @Column({ type: 'timestamptz', precision: 3 }) writtenAt: Date;
}
