import { Check, Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../platform/http/actor';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

/** The text that users of a workspace have written about the person with a number. */
@Entity('notes')
@Check('notes_not_empty', `text <> ''`)
export class Note {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** E.164 */
  @PrimaryColumn('text') phoneNumber: string;

  @Column('text') text: string;

  /** The sender of the last change. */
  @Column('jsonb') updatedBy: Actor;

  /** The time of the last change. Each change raises it, so it also says which text a change replaces. */
  @Column({ type: 'timestamptz', precision: 3 }) updatedAt: Date;
}
