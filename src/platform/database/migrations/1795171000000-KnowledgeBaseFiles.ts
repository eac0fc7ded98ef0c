import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KnowledgeBaseFiles1795171000000 implements MigrationInterface {
  name = 'KnowledgeBaseFiles1795171000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "knowledge_base_files" (
                "key" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "knowledge_base_files_pkey" PRIMARY KEY ("key")
            )
        `);
    await queryRunner.query(`
            INSERT INTO "knowledge_base_files" ("key")
            SELECT DISTINCT "file_key" FROM "knowledge_base_sources" WHERE "file_key" IS NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "knowledge_base_sources"
            ADD CONSTRAINT "knowledge_base_sources_file_key_fkey" FOREIGN KEY ("file_key") REFERENCES "knowledge_base_files"("key") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "knowledge_base_sources" DROP CONSTRAINT "knowledge_base_sources_file_key_fkey"`,
    );
    await queryRunner.query(`DROP TABLE "knowledge_base_files"`);
  }
}
