import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReportedCriteria1795851000200 implements MigrationInterface {
  name = 'ReportedCriteria1795851000200';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "call_analyses" ADD "criteria" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "call_analyses" DROP COLUMN "criteria"`);
  }
}
