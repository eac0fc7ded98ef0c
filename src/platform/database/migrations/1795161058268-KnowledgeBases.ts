import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KnowledgeBases1795161058268 implements MigrationInterface {
  name = 'KnowledgeBases1795161058268';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // For similar words, and for indexes within a knowledge base. The owner of the database may install both.
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    await queryRunner.query(`
            CREATE TABLE "knowledge_base_sources" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "knowledge_base_id" uuid NOT NULL,
                "position" integer NOT NULL,
                "type" text NOT NULL,
                "name" text NOT NULL,
                "url" text NOT NULL DEFAULT '',
                "status" text NOT NULL DEFAULT 'pending',
                "reason" text,
                "file_name" text NOT NULL DEFAULT '',
                "file_type" text NOT NULL DEFAULT '',
                "file_key" uuid,
                "text" text,
                "passages" integer NOT NULL DEFAULT '0',
                CONSTRAINT "knowledge_base_sources_failed_has_reason" CHECK ((status = 'failed') = (reason IS NOT NULL)),
                CONSTRAINT "knowledge_base_sources_status_known" CHECK (
                    status IN ('pending', 'processing', 'completed', 'failed')
                ),
                CONSTRAINT "knowledge_base_sources_type_known" CHECK (
                    type IN (
                        'link',
                        'pdf',
                        'docx',
                        'txt',
                        'md',
                        'csv',
                        'html'
                    )
                ),
                CONSTRAINT "knowledge_base_sources_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_base_sources_file_key_idx" ON "knowledge_base_sources" ("file_key")
            WHERE file_key IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_base_sources_knowledge_base_id_position_idx" ON "knowledge_base_sources" ("knowledge_base_id", "position")
        `);
    await queryRunner.query(`
            CREATE TABLE "knowledge_bases" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "name" text NOT NULL,
                "description" text NOT NULL DEFAULT '',
                "type" text NOT NULL,
                "status" boolean NOT NULL DEFAULT true,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "knowledge_bases_type_known" CHECK (type IN ('link', 'documents')),
                CONSTRAINT "knowledge_bases_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_bases_workspace_id_created_at_idx" ON "knowledge_bases" ("workspace_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "knowledge_base_assignments" (
                "agent_id" uuid NOT NULL,
                "knowledge_base_id" uuid NOT NULL,
                "position" integer NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "knowledge_base_assignments_pkey" PRIMARY KEY ("agent_id", "knowledge_base_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_base_assignments_knowledge_base_id_idx" ON "knowledge_base_assignments" ("knowledge_base_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "knowledge_base_passages" (
                "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
                "knowledge_base_id" uuid NOT NULL,
                "source_id" uuid NOT NULL,
                "position" integer NOT NULL,
                "text" text NOT NULL,
                "search" tsvector NOT NULL,
                CONSTRAINT "knowledge_base_passages_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_base_passages_source_id_idx" ON "knowledge_base_passages" ("source_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "knowledge_base_words" (
                "source_id" uuid NOT NULL,
                "word" text NOT NULL,
                "knowledge_base_id" uuid NOT NULL,
                "passages" integer NOT NULL,
                CONSTRAINT "knowledge_base_words_pkey" PRIMARY KEY ("source_id", "word")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "knowledge_base_sources"
            ADD CONSTRAINT "knowledge_base_sources_knowledge_base_id_fkey" FOREIGN KEY ("knowledge_base_id") REFERENCES "knowledge_bases"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "knowledge_bases"
            ADD CONSTRAINT "knowledge_bases_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "knowledge_base_assignments"
            ADD CONSTRAINT "knowledge_base_assignments_knowledge_base_id_fkey" FOREIGN KEY ("knowledge_base_id") REFERENCES "knowledge_bases"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "knowledge_base_passages"
            ADD CONSTRAINT "knowledge_base_passages_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "knowledge_base_sources"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "knowledge_base_words"
            ADD CONSTRAINT "knowledge_base_words_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "knowledge_base_sources"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "knowledge_bases_workspace_id_name_idx" ON "knowledge_bases" ("workspace_id", lower("name"))
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_base_passages_search_idx" ON "knowledge_base_passages"
            USING gin ("knowledge_base_id", "search")
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_base_words_word_idx" ON "knowledge_base_words"
            USING gin ("knowledge_base_id", "word" gin_trgm_ops)
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "knowledge_base_words"`);
    await queryRunner.query(`DROP TABLE "knowledge_base_passages"`);
    await queryRunner.query(`DROP TABLE "knowledge_base_assignments"`);
    await queryRunner.query(`DROP TABLE "knowledge_base_sources"`);
    await queryRunner.query(`DROP TABLE "knowledge_bases"`);
    await queryRunner.query('DROP EXTENSION btree_gin');
    await queryRunner.query('DROP EXTENSION pg_trgm');
  }
}
