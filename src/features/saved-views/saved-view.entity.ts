import { Column, Entity, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Actor } from '../../platform/http/actor';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

export const VIEW_PAGES = ['calls', 'analytics'] as const;

/** The choices of a page of the console under a name, for all people of a workspace. */
@Entity('saved_views')
@Unique('saved_views_page_name', ['workspaceId', 'page', 'name'])
export class SavedView {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') page: (typeof VIEW_PAGES)[number];

  @Column('text') name: string;

  /** The query of the page's address. */
  @Column('text') query: string;

  /** The name of a period, which begins and ends anew each time that the view is opened. */
  @Column('text', { nullable: true }) period: string | null;

  /** The sender of the last change. */
  @Column('jsonb') updatedBy: Actor;

  @Column({ type: 'timestamptz', precision: 3 }) updatedAt: Date;
}
