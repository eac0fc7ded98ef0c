import type { MigrationInterface, QueryRunner } from 'typeorm';

export class QuotaUsage1795174200000 implements MigrationInterface {
  name = 'QuotaUsage1795174200000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" ADD "bytes" bigint NOT NULL DEFAULT '0'`);
    // The sizes of files that were uploaded before are not in the database.
    await queryRunner.query(`
            UPDATE "knowledge_base_sources" SET bytes = octet_length(text) WHERE text IS NOT NULL
        `);
    await queryRunner.query(`
            UPDATE "knowledge_base_sources" SET bytes = indexed.bytes
            FROM (
                SELECT source_id, sum(octet_length(text)) AS bytes FROM "knowledge_base_passages" GROUP BY source_id
            ) AS indexed
            WHERE indexed.source_id = knowledge_base_sources.id
        `);
    await queryRunner.query(`
            CREATE INDEX "knowledge_base_sources_workspace_id_bytes_idx" ON "knowledge_base_sources" ("workspace_id", "bytes")
        `);
    await queryRunner.query(`
            CREATE INDEX "webhook_deliveries_test_events" ON "webhook_deliveries" ("workspace_id", "created_at")
            WHERE type = 'webhook.test'
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."webhook_deliveries_test_events"`);
    await queryRunner.query(`DROP INDEX "public"."knowledge_base_sources_workspace_id_bytes_idx"`);
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" DROP COLUMN "bytes"`);
  }
}
