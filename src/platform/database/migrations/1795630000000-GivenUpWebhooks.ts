import type { MigrationInterface, QueryRunner } from 'typeorm';

export class GivenUpWebhooks1795630000000 implements MigrationInterface {
  name = 'GivenUpWebhooks1795630000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" ADD "given_up_at" TIMESTAMP(3) WITH TIME ZONE`);
    // An attempt that ended has its duration.
    await queryRunner.query(
      `UPDATE webhook_deliveries SET given_up_at = COALESCE(
         (SELECT max(started_at + duration_ms * interval '1 millisecond') FROM webhook_attempts WHERE delivery_id = id),
         created_at)
       WHERE status = 'failed'`,
    );
    await queryRunner.query(
      `CREATE INDEX "webhook_deliveries_given_up" ON "webhook_deliveries" ("workspace_id", "given_up_at") WHERE status = 'failed'`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."webhook_deliveries_given_up"`);
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" DROP COLUMN "given_up_at"`);
  }
}
