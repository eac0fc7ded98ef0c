import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import type { StoredResponse } from './idempotent-attempt';
import { Workspace } from '../workspaces/workspace.entity';

/** The state of a request that was sent with an Idempotency-Key. */
@Entity('idempotency_keys')
@Check('idempotency_keys_answered_or_locked', 'answer IS NOT NULL OR locked_until IS NOT NULL')
export class IdempotencyKey {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** The method and the path with its ids, such as `POST /api/agents/<id>/calls`. */
  @PrimaryColumn('text') endpoint: string;

  @PrimaryColumn('text') key: string;

  /** SHA-256 of what was sent. */
  @Column('bytea') fingerprint: Buffer;

  /** The attempt that may do the work of the request; another one after a takeover. */
  @Column('uuid') owner: string;

  /** The end of the attempt's lease; null once the response may be replayed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lockedUntil: Date | null;

  /** Written in the transaction that does the work. `json`, not `jsonb`, which would put its members into another order. */
  @Column('json', { nullable: true }) answer: StoredResponse | null;

  @Index() @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
