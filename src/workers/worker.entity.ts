import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A runtime that has said hello lately. */
@Entity('workers')
export class Worker {
  /** The `worker_id` of its claims. */
  @PrimaryColumn('text') id: string;

  @Column('text') name: string;

  @Column('text') version: string;

  /** How many calls it can have at once. */
  @Column('integer') capacity: number;

  /** How many it had then, of all workspaces. */
  @Column('integer') calls: number;

  // Without an index, so that an update touches none.
  @Column({ type: 'timestamptz', precision: 3 }) lastSeenAt: Date;
}
