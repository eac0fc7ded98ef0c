import { Column, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';

/** A part of a source's text, which a search finds on its own. */
@Entity('knowledge_base_passages')
@Index('knowledge_base_passages_search_idx', { synchronize: false })
export class KnowledgeBasePassage {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;

  @Column('uuid') knowledgeBaseId: string;

  @Index() @Column('uuid') sourceId: string;

  @ManyToOne(() => KnowledgeBaseSource, { nullable: false, onDelete: 'CASCADE' }) source: KnowledgeBaseSource;

  @Column('integer') position: number;

  /** The page of its document; null if the document has no pages, or was indexed before pages were stored. */
  @Column('integer', { nullable: true }) page: number | null;

  @Column('text') text: string;

  /** The words of the passage, separated by `searchWords`. */
  @Column('tsvector') search: string;
}
