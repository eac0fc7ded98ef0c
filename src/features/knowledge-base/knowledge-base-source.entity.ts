import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { KnowledgeBaseFile } from './knowledge-base-file.entity';
import { KnowledgeBase } from './knowledge-base.entity';

/** The types of sources: a link, or a file of one of the formats in `documents/formats/formats.ts`. */
export const SOURCE_TYPES = ['link', 'pdf', 'docx', 'txt', 'md', 'csv', 'html'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const SOURCE_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];
export const SOURCE_STATUS = byName(SOURCE_STATUSES);

/**
 * A link or an uploaded file of a knowledge base. A replacement is a row of its own until it is indexed: then the row
 * that it replaces is deleted, and it takes the place of that row.
 */
@Entity('knowledge_base_sources')
@Index(['knowledgeBaseId', 'position'])
@Index(['workspaceId', 'bytes'])
@Index(['publicId', 'isReplacement'], { unique: true })
@Check('knowledge_base_sources_type_known', `type IN (${literals(SOURCE_TYPES)})`)
@Check('knowledge_base_sources_status_known', `status IN (${literals(SOURCE_STATUSES)})`)
@Check(
  'knowledge_base_sources_failed_has_reason',
  `(status = '${SOURCE_STATUS.failed}') = (reason IS NOT NULL)`,
)
@Check(
  'knowledge_base_sources_replacement_not_completed',
  `NOT (is_replacement AND status = '${SOURCE_STATUS.completed}')`,
)
export class KnowledgeBaseSource {
  @PrimaryColumn('uuid') id: string;

  /** The id that clients see: a replacement has the id of the source that it replaces. */
  @Column('uuid') publicId: string;

  @Column('boolean', { default: false }) isReplacement: boolean;

  @Column('uuid') workspaceId: string;

  @Column('uuid') knowledgeBaseId: string;

  @ManyToOne(() => KnowledgeBase, { nullable: false, onDelete: 'CASCADE' }) knowledgeBase: KnowledgeBase;

  /** The order in which the sources were added. */
  @Column('integer') position: number;

  @Column('text') type: SourceType;

  @Column('text') name: string;

  /** '' for a file. */
  @Column('text', { default: '' }) url: string;

  @Column('text', { default: SOURCE_STATUS.pending }) status: SourceStatus;

  /** The reason why the source failed. */
  @Column('text', { nullable: true }) reason: string | null;

  /** The name of an uploaded file, from the client; '' for a link. */
  @Column('text', { default: '' }) fileName: string;

  /** The media type of the content; '' until it is known. */
  @Column('text', { default: '' }) fileType: string;

  /** The key in the file storage; null for a link. */
  @Index({ where: 'file_key IS NOT NULL' }) @Column('uuid', { nullable: true }) fileKey: string | null;

  @ManyToOne(() => KnowledgeBaseFile)
  @JoinColumn({ name: 'file_key' })
  file: KnowledgeBaseFile | null;

  /** The run that stores the passages of the source; null before the first and after the last one. */
  @Column('uuid', { nullable: true, select: false }) indexingRun: string | null;

  /** The text of the source, from when it is read until it is indexed. */
  @Column('text', { nullable: true, select: false }) text: string | null;

  /**
   * The bytes of the workspace's quota that the source uses: its file, and its text in UTF-8. 0 for a link that
   * has not been read. A bigint, which pg returns as text.
   */
  @Column('bigint', { default: 0 }) bytes: string;

  /** The number of passages of its text. */
  @Column('integer', { default: 0 }) passages: number;
}
