import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A file that this database has stored. Its row says that it belongs to this database: two may share one folder. */
@Entity('knowledge_base_files')
export class KnowledgeBaseFile {
  @PrimaryColumn('uuid') key: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
