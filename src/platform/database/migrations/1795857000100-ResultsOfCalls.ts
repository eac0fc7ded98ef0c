import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No release has the table, so the index is built at once. */
export class ResultsOfCalls1795857000100 implements MigrationInterface {
  name = 'ResultsOfCalls1795857000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_results" ADD "source_call_id" uuid`);
    await queryRunner.query(
      `CREATE INDEX "rehearsal_results_source_call_id_idx" ON "rehearsal_results" ("source_call_id") WHERE source_call_id IS NOT NULL`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_results" DROP COLUMN "source_call_id"`);
  }
}
