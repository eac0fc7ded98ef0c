import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * A file that this database has given to the storage, from before it is there until after it is gone: whose it is, is
 * known even where two installations share one folder, and the storage need not be able to list what it has.
 */
@Entity('knowledge_base_files')
export class KnowledgeBaseFile {
  @PrimaryColumn('uuid') key: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
