import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A thousand calls of one agent at a time would exceed the largest integer after 25 days. */
export class TalkTime1795410000000 implements MigrationInterface {
  name = 'TalkTime1795410000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agent_call_totals" ALTER COLUMN "seconds" TYPE bigint`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agent_call_totals" ALTER COLUMN "seconds" TYPE integer`);
  }
}
