import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No release has the table, so the index is built at once. */
export class RehearsalsOfCalls1795857000000 implements MigrationInterface {
  name = 'RehearsalsOfCalls1795857000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsals" ADD "source_call_id" uuid`);
    await queryRunner.query(
      `CREATE INDEX "rehearsals_source_call_id_idx" ON "rehearsals" ("source_call_id") WHERE source_call_id IS NOT NULL`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsals" DROP COLUMN "source_call_id"`);
  }
}
