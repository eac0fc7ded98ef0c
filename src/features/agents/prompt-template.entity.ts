import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

/** A prompt template without the wide column. */
export type NarrowPromptTemplate = Omit<PromptTemplate, 'prompt'>;

/**
 * Initial texts for new agents. A template belongs to a workspace, or to the platform: then every workspace sees
 * it.
 */
@Entity('prompt_templates')
export class PromptTemplate {
  @PrimaryColumn('text') id: string;

  /** null: the template belongs to the platform. */
  @Index() @Column('uuid', { nullable: true }) workspaceId: string | null;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE' }) workspace: Workspace | null;

  @Column('text') name: string;

  @Column('text', { array: true, default: '{}' }) category: string[];

  @Column('text') greeting: string;

  @Column('text', { select: false }) prompt: string;

  @Column('text', { array: true, default: '{}' }) dynamicVariables: string[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
