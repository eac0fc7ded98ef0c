import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import { workspaceForeignKey } from '../../platform/database/workspace-foreign-key';
import { type Credential, CREDENTIAL_KINDS } from '../../platform/http/access';
import { Workspace } from '../workspaces/workspace.entity';
import { ApiKey } from './api-key.entity';
import { Person } from './person.entity';

/** A browser's substitute for a credential. It ends with the credential that began it. */
@Entity('sessions')
@Check('sessions_credential_known', `credential_kind = ANY ('{${CREDENTIAL_KINDS.join()}}')`)
@Check('sessions_of_keys', `credential_kind <> 'api-key' OR key_id IS NOT NULL`)
export class Session {
  /** The id of the session; a session that a link began has the id of the link. */
  @PrimaryColumn('uuid') id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** SHA-256 of the token in the cookie, which has 32 random bytes. */
  @Index({ unique: true }) @Column('bytea') hash: Buffer;

  @Column('text') credentialKind: Credential['kind'];

  /** The API key that began the session, or that the token which began it descends from. */
  @Index() @Column('uuid', { nullable: true }) keyId: string | null;

  @ManyToOne(() => ApiKey, { nullable: true })
  @JoinColumn(workspaceForeignKey('key_id'))
  key: ApiKey | null;

  /** The one-time link that began it, or that its token descends from. */
  @Column('uuid', { nullable: true }) linkId: string | null;

  /** The person who signed in by the link. The role of the person decides what the session may do. */
  @Index() @Column('uuid', { nullable: true }) personId: string | null;

  @ManyToOne(() => Person, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn(workspaceForeignKey('person_id'))
  person: Person | null;

  @Column('text') userId: string;

  /** The name of the link that began it. */
  @Column('text', { nullable: true }) name: string | null;

  /** Empty for a person, because the session follows the role, which may change. null: the whole workspace */
  @Column('text', { array: true, nullable: true }) scopes: string[] | null;

  /**
   * The time when the token or the link was issued, for the revocation of all tokens. null: a key, or a token without
   * this time
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) issuedAt: Date | null;

  /** The address of the client that began the session. null: unknown, or an earlier release did not store it */
  @Column('text', { nullable: true }) ip: string | null;

  /** The time of the last request, stored about once a minute. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) lastUsedAt: Date;

  /** The time when its credential ends, or seven days after its beginning. */
  @Column({ type: 'timestamptz', precision: 3 }) expiresAt: Date;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
