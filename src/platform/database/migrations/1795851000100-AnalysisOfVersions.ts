import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AnalysisOfVersions1795851000100 implements MigrationInterface {
  name = 'AnalysisOfVersions1795851000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agent_versions" ADD "analysis" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agent_versions" DROP COLUMN "analysis"`);
  }
}
