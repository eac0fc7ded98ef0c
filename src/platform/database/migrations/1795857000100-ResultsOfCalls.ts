import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No release has the table, so the index is built at once. */
export class ResultsOfCalls1795857000100 implements MigrationInterface {
  name = 'ResultsOfCalls1795857000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_results" ADD "person_number" text`);
    await queryRunner.query(
      `CREATE INDEX "rehearsal_results_workspace_id_person_number_idx" ON "rehearsal_results" ("workspace_id", "person_number") WHERE person_number IS NOT NULL`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_results" DROP COLUMN "person_number"`);
  }
}
