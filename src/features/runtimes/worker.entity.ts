import type { RuntimeProviderDto } from './runtimes.dto';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A provider that a runtime asks. `since` is a time as a text. */
export type StoredProvider = Omit<RuntimeProviderDto, 'since'> & { since: string };

/** A runtime that has sent a hello recently. */
@Entity('workers')
export class Worker {
  /** The `worker_id` of its claims. */
  @PrimaryColumn('text') id: string;

  @Column('text') name: string;

  @Column('text') version: string;

  /** The number of calls that it can have at once. */
  @Column('integer') capacity: number;

  /** The number of calls that the runtime had then, of all workspaces. */
  @Column('integer') calls: number;

  /** The providers that it has said to ask. */
  @Column('jsonb', { default: [] }) providers: StoredProvider[];

  // The time has no index, so that an update touches none.
  @Column({ type: 'timestamptz', precision: 3 }) lastSeenAt: Date;
}
