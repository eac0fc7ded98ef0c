import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

/** What a list shows of a template. */
export type NarrowPromptTemplate = Omit<PromptTemplate, 'prompt'>;

/** A start for new agents: the platform's own, which every workspace sees, or a workspace's. */
@Entity('prompt_templates')
export class PromptTemplate {
  @PrimaryColumn('text') id: string;

  /** Null: it ships with the platform. */
  @Index() @Column('uuid', { nullable: true }) workspaceId: string | null;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE' }) workspace: Workspace | null;

  @Column('text') name: string;

  @Column('text', { array: true, default: '{}' }) category: string[];

  @Column('text') greeting: string;

  @Column('text', { select: false }) prompt: string;

  @Column('text', { array: true, default: '{}' }) dynamicVariables: string[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
