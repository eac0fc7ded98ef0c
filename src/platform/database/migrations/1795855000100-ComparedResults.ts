import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No release has the table, so the index is built at once. */
export class ComparedResults1795855000100 implements MigrationInterface {
  name = 'ComparedResults1795855000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_results" ADD "against" boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`DROP INDEX "rehearsal_results_run_id_name_repeat_idx"`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "rehearsal_results_run_id_name_repeat_against_idx" ON "rehearsal_results" ("run_id", "name", "repeat", "against")`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "rehearsal_results" WHERE "against"`);
    await queryRunner.query(`DROP INDEX "rehearsal_results_run_id_name_repeat_against_idx"`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "rehearsal_results_run_id_name_repeat_idx" ON "rehearsal_results" ("run_id", "name", "repeat")`,
    );
    await queryRunner.query(`ALTER TABLE "rehearsal_results" DROP COLUMN "against"`);
  }
}
