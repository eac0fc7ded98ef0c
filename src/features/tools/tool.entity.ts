import { Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Actor } from '../../platform/http/actor';
import { Workspace } from '../../accounts/workspaces/workspace.entity';
import type { ToolDefinition } from './tool-definition';

export const UNIQUE_TOOL_NAME = 'tools_workspace_id_name_idx';

/** Something that agents may do, which the server requests from another system. */
@Entity('tools')
@Index(UNIQUE_TOOL_NAME, ['workspaceId', 'name'], { unique: true })
export class Tool {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** The name by which agents have it in their actions. */
  @Column('text') name: string;

  @Column('jsonb') definition: ToolDefinition;

  /** By name. They are stored as plain text, because requests need them. */
  @Column('jsonb', { default: {} }) secrets: Record<string, string>;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt: Date;

  /** The last who changed it. null: the server itself, or an earlier release */
  @Column('jsonb', { nullable: true }) updatedBy: Actor | null;
}
