import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

/** A link of the operator that begins one session. It stays as long as that session can issue tokens. */
@Entity('console_links')
export class ConsoleLink {
  @PrimaryColumn('uuid') id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') userId: string;

  /** The name of the person who gets the link. null: the operator gave none */
  @Column('text', { nullable: true }) name: string | null;

  /** SHA-256 of the token of the link. */
  @Index({ unique: true }) @Column('bytea') hash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 }) expiresAt: Date;

  /** The time when the link began its session. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) usedAt: Date | null;

  /** The time from which on nothing that descends from the link is valid. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) revokedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
