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
import { workspaceForeignKey } from '../database/workspace-foreign-key';
import { type Credential, CREDENTIAL_KINDS } from '../http/access';
import { Workspace } from '../workspaces/workspace.entity';
import { ApiKey } from './api-key.entity';

/** What a browser has in the place of a credential. It ends with the credential that began it. */
@Entity('sessions')
@Check('sessions_credential_known', `credential_kind = ANY ('{${CREDENTIAL_KINDS.join()}}')`)
@Check('sessions_of_keys', `credential_kind <> 'api-key' OR key_id IS NOT NULL`)
export class Session {
  /** Of a session that a link began, the id of the link. */
  @PrimaryColumn('uuid') id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** SHA-256 of the token in the cookie, which has 32 random bytes. */
  @Index({ unique: true }) @Column('bytea') hash: Buffer;

  @Column('text') credentialKind: Credential['kind'];

  /** The key, or the one that the token descends from. */
  @Index() @Column('uuid', { nullable: true }) keyId: string | null;

  @ManyToOne(() => ApiKey, { nullable: true })
  @JoinColumn(workspaceForeignKey('key_id'))
  key: ApiKey | null;

  @Column('text') userId: string;

  @Column('text', { array: true, nullable: true }) scopes: string[] | null;

  /** For the revocation of all tokens: when the token or the link was issued. null: of a key, or of a token that does not say it */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) issuedAt: Date | null;

  /** From where it began. null: not known, or an earlier release did not note it */
  @Column('text', { nullable: true }) ip: string | null;

  /** Noted about once a minute. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) lastUsedAt: Date;

  /** With its credential, or after seven days. */
  @Column({ type: 'timestamptz', precision: 3 }) expiresAt: Date;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
