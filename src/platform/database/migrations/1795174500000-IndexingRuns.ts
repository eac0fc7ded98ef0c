import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IndexingRuns1795174500000 implements MigrationInterface {
  name = 'IndexingRuns1795174500000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" ADD "indexing_run" uuid`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "knowledge_base_sources" DROP COLUMN "indexing_run"`);
  }
}
