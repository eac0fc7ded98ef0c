import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RehearsalReports1795854000000 implements MigrationInterface {
  name = 'RehearsalReports1795854000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" ADD "report_sha256" text`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" DROP COLUMN "report_sha256"`);
  }
}
