import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Listening1795830000100 implements MigrationInterface {
  name = 'Listening1795830000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "conversations" ADD "listen_url" text, ADD "listen_expires_at" TIMESTAMP(3) WITH TIME ZONE`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "conversations" DROP COLUMN "listen_expires_at", DROP COLUMN "listen_url"`,
    );
  }
}
