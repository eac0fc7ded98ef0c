import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AnalysisOfAgents1795851000000 implements MigrationInterface {
  name = 'AnalysisOfAgents1795851000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agents" ADD "analysis" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agents" DROP COLUMN "analysis"`);
  }
}
