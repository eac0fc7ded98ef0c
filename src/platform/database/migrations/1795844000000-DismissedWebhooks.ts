import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DismissedWebhooks1795844000000 implements MigrationInterface {
  name = 'DismissedWebhooks1795844000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "webhook_deliveries" ADD "dismissed_at" TIMESTAMP(3) WITH TIME ZONE`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" DROP COLUMN "dismissed_at"`);
  }
}
