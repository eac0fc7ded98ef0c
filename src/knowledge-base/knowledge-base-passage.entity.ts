import { Column, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';

/** A piece of a source's text, as a search finds it. Written and read by the SQL of `passages.sql.ts`. */
@Entity('knowledge_base_passages')
@Index('knowledge_base_passages_search_idx', { synchronize: false })
export class KnowledgeBasePassage {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;

  @Column('uuid') knowledgeBaseId: string;

  @Index() @Column('uuid') sourceId: string;

  @ManyToOne(() => KnowledgeBaseSource, { nullable: false, onDelete: 'CASCADE' }) source: KnowledgeBaseSource;

  @Column('integer') position: number;

  @Column('text') text: string;

  /** Its words; in scripts without spaces they were set apart before (`search-words.ts`). */
  @Column('tsvector') search: string;
}
