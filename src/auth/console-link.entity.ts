import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

/** A link of the operator that begins one session. Its row is deleted when it is used. */
@Entity('console_links')
export class ConsoleLink {
  @PrimaryColumn('uuid') id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') userId: string;

  /** SHA-256 of its token. */
  @Index({ unique: true }) @Column('bytea') hash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 }) expiresAt: Date;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
