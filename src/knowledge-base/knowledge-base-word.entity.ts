import { Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';

/** A word of a source and how many of its passages have it: tells rare words from common, and finds misspelt ones. */
@Entity('knowledge_base_words')
@Index('knowledge_base_words_word_idx', { synchronize: false })
export class KnowledgeBaseWord {
  @PrimaryColumn('uuid') sourceId: string;

  @ManyToOne(() => KnowledgeBaseSource, { nullable: false, onDelete: 'CASCADE' }) source: KnowledgeBaseSource;

  @PrimaryColumn('text') word: string;

  @Column('uuid') knowledgeBaseId: string;

  @Column('integer') passages: number;
}
