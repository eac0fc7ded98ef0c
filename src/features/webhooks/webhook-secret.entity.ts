import { Check, Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

/** The secret that signs the webhooks of a workspace. It is stored as plain text, because signing needs it. */
@Entity('webhook_secrets')
@Check('webhook_secrets_previous_expires', '(previous_secret IS NULL) = (previous_expires_at IS NULL)')
export class WebhookSecret {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') secret: string;

  /** The previous secret, which also signs until it expires, so that receivers can switch to the new one. */
  @Column('text', { nullable: true }) previousSecret: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) previousExpiresAt: Date | null;
}
