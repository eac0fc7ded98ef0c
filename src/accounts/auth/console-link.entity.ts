import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { workspaceForeignKey } from '../../platform/database/workspace-foreign-key';
import { Workspace } from '../workspaces/workspace.entity';
import { Person } from './person.entity';

/** A link that begins one session: one of the operator, or of a person. It stays as long as that session can issue tokens. */
@Entity('console_links')
export class ConsoleLink {
  @PrimaryColumn('uuid') id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** The person whom the link signs in. null: it is the operator's, and reaches the whole workspace */
  @Index() @Column('uuid', { nullable: true }) personId: string | null;

  @ManyToOne(() => Person, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn(workspaceForeignKey('person_id'))
  person: Person | null;

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
