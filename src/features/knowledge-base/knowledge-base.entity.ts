import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ManyToOne,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { literals } from '../../platform/database/closed-list';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

export const KNOWLEDGE_BASE_TYPES = ['link', 'documents'] as const;
export type KnowledgeBaseType = (typeof KNOWLEDGE_BASE_TYPES)[number];

/** Names are unique in a workspace without regard to case. TypeORM cannot declare an index on an expression. */
export const UNIQUE_NAME = 'knowledge_bases_workspace_id_name_idx';

@Entity('knowledge_bases')
@Index(['workspaceId', 'createdAt'])
@Index(UNIQUE_NAME, { synchronize: false })
@Check('knowledge_bases_type_known', `type IN (${literals(KNOWLEDGE_BASE_TYPES)})`)
export class KnowledgeBase {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') name: string;

  @Column('text', { default: '' }) description: string;

  @Column('text') type: KnowledgeBaseType;

  @Column('boolean', { default: true }) status: boolean;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;

  /** The time also changes when a source has been indexed. */
  @UpdateDateColumn({ type: 'timestamptz', precision: 3 }) updatedAt: Date;
}
