import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WebhookSeries1795172000000 implements MigrationInterface {
  name = 'WebhookSeries1795172000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" ADD "series" integer NOT NULL DEFAULT '1'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" DROP COLUMN "series"`);
  }
}
