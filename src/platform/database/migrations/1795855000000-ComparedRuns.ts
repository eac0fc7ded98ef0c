import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ComparedRuns1795855000000 implements MigrationInterface {
  name = 'ComparedRuns1795855000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" ADD "against_version" integer`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" DROP COLUMN "against_version"`);
  }
}
