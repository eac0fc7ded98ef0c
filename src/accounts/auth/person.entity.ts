import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../platform/http/actor';
import { Workspace } from '../workspaces/workspace.entity';
import { type PersonRole, ROLES } from './roles';

/** A person who may sign in to a workspace. Links and an identity of the provider begin the sessions of a person. */
@Entity('people')
@Check('people_role_known', `role = ANY ('{${ROLES.join()}}')`)
@Check('people_identity_complete', '(issuer IS NULL) = (subject IS NULL)')
// The foreign keys of sessions and links, which belong to the same workspace, refer to this index.
@Index(['id', 'workspaceId'], { unique: true })
@Index(['workspaceId', 'issuer', 'subject'], { unique: true })
@Index(['workspaceId', 'email'], { unique: true })
@Index(['issuer', 'subject'])
@Index(['email'])
export class Person {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') name: string;

  /** In lower case. An identity that has proved this address may become the identity of the person. */
  @Column('text', { nullable: true }) email: string | null;

  @Column('text') role: PersonRole;

  /** The issuer (`iss`) of the identity by which the person signs in. */
  @Column('text', { nullable: true }) issuer: string | null;

  /** The id that the issuer gave the person (`sub`). */
  @Column('text', { nullable: true }) subject: string | null;

  /** The time of the first session. null: the invitation was not accepted yet */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) joinedAt: Date | null;

  /** The time of the last request, stored about once a minute. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;

  /** null: the identity provider brought the person */
  @Column('jsonb', { nullable: true }) invitedBy: Actor | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
