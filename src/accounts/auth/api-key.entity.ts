import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { workspaceForeignKey } from '../../platform/database/workspace-foreign-key';
import type { Actor } from '../../platform/http/actor';
import { Workspace } from '../workspaces/workspace.entity';
import { CallCap } from './call-cap.entity';

@Entity('api_keys')
// The foreign key of parents, which belong to the same workspace, refers to this index.
@Index(['id', 'workspaceId'], { unique: true })
export class ApiKey {
  @PrimaryColumn('uuid') id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** The key that created it. null: the operator did. A key ends with its parent at the latest. */
  @Index() @Column('uuid', { nullable: true }) parentId: string | null;

  @ManyToOne(() => ApiKey, { nullable: true })
  @JoinColumn(workspaceForeignKey('parent_id'))
  parent: ApiKey | null;

  /** The one-time link whose session created the key. */
  @Index() @Column('uuid', { nullable: true }) linkId: string | null;

  /** The person whose session created the key. The key is revoked if the person is an admin no longer. */
  @Index() @Column('uuid', { nullable: true }) personId: string | null;

  @Column('text') userId: string;

  /** null: the audit shows the hint instead. */
  @Column('text', { nullable: true }) name: string | null;

  /** SHA-256 of the key. The key has 32 random bytes, so a slow hash would add nothing. */
  @Index({ unique: true }) @Column('bytea') hash: Buffer;

  /** The last four characters of the key, by which its owner recognizes it. */
  @Column('text') hint: string;

  @Column('text', { array: true, nullable: true }) scopes: string[] | null;

  /** The cap that counts the calls of the key: its own, or that of the key which created it. null: none does. */
  @Index() @Column('uuid', { nullable: true }) capId: string | null;

  @ManyToOne(() => CallCap, { nullable: true })
  @JoinColumn(workspaceForeignKey('cap_id'))
  cap: CallCap | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expiresAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) revokedAt: Date | null;

  /**
   * The time of the last use, at most a few minutes late. null: the key was never used, or before this was stored.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;

  /** null: an earlier release created the key. */
  @Column('jsonb', { nullable: true }) createdBy: Actor | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
