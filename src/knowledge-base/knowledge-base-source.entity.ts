import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { KnowledgeBaseFile } from './knowledge-base-file.entity';
import { KnowledgeBase } from './knowledge-base.entity';

export const SOURCE_TYPES = ['link', 'pdf', 'docx', 'txt', 'md', 'csv', 'html'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const SOURCE_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** A link or an uploaded file of a knowledge base. */
@Entity('knowledge_base_sources')
@Index(['knowledgeBaseId', 'position'])
@Index(['workspaceId', 'bytes'])
@Check('knowledge_base_sources_type_known', `type IN ('link', 'pdf', 'docx', 'txt', 'md', 'csv', 'html')`)
@Check('knowledge_base_sources_status_known', `status IN ('pending', 'processing', 'completed', 'failed')`)
@Check('knowledge_base_sources_failed_has_reason', `(status = 'failed') = (reason IS NOT NULL)`)
export class KnowledgeBaseSource {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @Column('uuid') knowledgeBaseId: string;

  @ManyToOne(() => KnowledgeBase, { nullable: false, onDelete: 'CASCADE' }) knowledgeBase: KnowledgeBase;

  /** In the order in which they were named. */
  @Column('integer') position: number;

  @Column('text') type: SourceType;

  @Column('text') name: string;

  /** '' for a file. */
  @Column('text', { default: '' }) url: string;

  @Column('text', { default: 'pending' }) status: SourceStatus;

  /** Why it failed. */
  @Column('text', { nullable: true }) reason: string | null;

  /** The client's name of an uploaded file; '' for a link. */
  @Column('text', { default: '' }) fileName: string;

  /** The media type of the content; '' where it is not known yet. */
  @Column('text', { default: '' }) fileType: string;

  /** Where the file storage has it; null for a link. */
  @Index({ where: 'file_key IS NOT NULL' }) @Column('uuid', { nullable: true }) fileKey: string | null;

  @ManyToOne(() => KnowledgeBaseFile)
  @JoinColumn({ name: 'file_key' })
  file: KnowledgeBaseFile | null;

  /** The run that stores its passages; null before the first one and after the last. */
  @Column('uuid', { nullable: true, select: false }) indexingRun: string | null;

  /** What was read of it, until it has been indexed. */
  @Column('text', { nullable: true, select: false }) text: string | null;

  /**
   * Of its file and, in UTF-8, of its text: what it takes of its workspace's quota. A link has none before it was read.
   * A bigint, which pg returns as text.
   */
  @Column('bigint', { default: 0 }) bytes: string;

  /** How many its text was split into. */
  @Column('integer', { default: 0 }) passages: number;
}
