import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KnowledgeBaseSources1795640000000 implements MigrationInterface {
  name = 'KnowledgeBaseSources1795640000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "knowledge_base_passages" ADD "page" integer`);
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" ADD "public_id" uuid`);
    await queryRunner.query(`UPDATE "knowledge_base_sources" SET "public_id" = "id"`);
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" ALTER COLUMN "public_id" SET NOT NULL`);
    await queryRunner.query(
      `ALTER TABLE "knowledge_base_sources" ADD "is_replacement" boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "knowledge_base_sources_public_id_is_replacement_idx"
       ON "knowledge_base_sources" ("public_id", "is_replacement")`,
    );
    await queryRunner.query(
      `ALTER TABLE "knowledge_base_sources" ADD CONSTRAINT "knowledge_base_sources_replacement_not_completed"
       CHECK (NOT (is_replacement AND status = 'completed'))`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "knowledge_base_sources" WHERE "is_replacement"`);
    await queryRunner.query(
      `ALTER TABLE "knowledge_base_sources" DROP CONSTRAINT "knowledge_base_sources_replacement_not_completed"`,
    );
    await queryRunner.query(`DROP INDEX "public"."knowledge_base_sources_public_id_is_replacement_idx"`);
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" DROP COLUMN "is_replacement"`);
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" DROP COLUMN "public_id"`);
    await queryRunner.query(`ALTER TABLE "knowledge_base_passages" DROP COLUMN "page"`);
  }
}
