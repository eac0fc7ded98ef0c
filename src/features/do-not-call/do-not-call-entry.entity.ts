import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import type { Actor } from '../../platform/http/actor';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

/** The way in which a number came onto the list. `opt_out`: the person said so in a call. */
export const ENTRY_SOURCES = ['api', 'import', 'opt_out'] as const;
export type EntrySource = (typeof ENTRY_SOURCES)[number];
export const ENTRY_SOURCE = byName(ENTRY_SOURCES);

/** A number that a workspace does not call. The primary key answers whether it is listed. */
@Entity('do_not_call')
@Index(['workspaceId', 'createdAt'])
@Index(['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Check('do_not_call_source_known', `source IN (${literals(ENTRY_SOURCES)})`)
export class DoNotCallEntry {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** E.164 */
  @PrimaryColumn('text') phoneNumber: string;

  @Column('text', { nullable: true }) reason: string | null;

  @Column('text') source: EntrySource;

  /** The sender of the request. null: a runtime reported it, or an earlier release did not store it */
  @Column('jsonb', { nullable: true }) createdBy: Actor | null;

  /** The time when it was listed last. */
  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  /** The time from which on the number may be called again; null: never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expiresAt: Date | null;
}
