import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FieldsOfRehearsalRuns1795859000000 implements MigrationInterface {
  name = 'FieldsOfRehearsalRuns1795859000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" ADD "fields" text array`);
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" ADD "configuration" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" DROP COLUMN "configuration"`);
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" DROP COLUMN "fields"`);
  }
}
