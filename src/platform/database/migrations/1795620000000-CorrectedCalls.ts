import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CorrectedCalls1795620000000 implements MigrationInterface {
  name = 'CorrectedCalls1795620000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "call_events_corrected" ON "call_events" ("created_at") WHERE kind = 'corrected'`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."call_events_corrected"`);
  }
}
