import { Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';

/** A word of a source, with the number of its passages that contain it. Search needs it for rarity and misspellings. */
@Entity('knowledge_base_words')
@Index('knowledge_base_words_word_idx', { synchronize: false })
export class KnowledgeBaseWord {
  @PrimaryColumn('uuid') sourceId: string;

  @ManyToOne(() => KnowledgeBaseSource, { nullable: false, onDelete: 'CASCADE' }) source: KnowledgeBaseSource;

  @PrimaryColumn('text') word: string;

  @Column('uuid') knowledgeBaseId: string;

  @Column('integer') passages: number;
}
