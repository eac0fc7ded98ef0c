import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No release has the table, so the index is built at once. */
export class RehearsalsOfCalls1795857000000 implements MigrationInterface {
  name = 'RehearsalsOfCalls1795857000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsals" ADD "person_number" text`);
    await queryRunner.query(
      `CREATE INDEX "rehearsals_workspace_id_person_number_idx" ON "rehearsals" ("workspace_id", "person_number") WHERE person_number IS NOT NULL`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsals" DROP COLUMN "person_number"`);
  }
}
