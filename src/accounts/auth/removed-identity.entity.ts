import { CreateDateColumn, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

/** The identity of a person who was removed, so that the provider does not bring the person back without an invitation. */
@Entity('removed_identities')
export class RemovedIdentity {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @PrimaryColumn('text') issuer: string;

  @PrimaryColumn('text') subject: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) removedAt: Date;
}
