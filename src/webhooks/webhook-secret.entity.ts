import { Check, Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

/** What signs the webhooks of a workspace. Kept as it is, since signing takes the secret itself. */
@Entity('webhook_secrets')
@Check('webhook_secrets_previous_expires', '(previous_secret IS NULL) = (previous_expires_at IS NULL)')
export class WebhookSecret {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') secret: string;

  /** Signs too until it expires, so that receivers can change over. */
  @Column('text', { nullable: true }) previousSecret: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true }) previousExpiresAt: Date | null;
}
