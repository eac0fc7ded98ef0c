import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WebCalls1795770000000 implements MigrationInterface {
  name = 'WebCalls1795770000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversations" ADD "join_url" text`);
    await queryRunner.query(`ALTER TABLE "conversations" ADD "join_expires_at" TIMESTAMP(3) WITH TIME ZONE`);
    await queryRunner.query(
      `ALTER TABLE "conversations" ADD CONSTRAINT "conversations_join_complete" CHECK (num_nulls(join_url, join_expires_at) = 2 OR (num_nulls(join_url, join_expires_at) = 0 AND length(join_url) <= 2048))`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversations" DROP CONSTRAINT "conversations_join_complete"`);
    await queryRunner.query(`ALTER TABLE "conversations" DROP COLUMN "join_expires_at"`);
    await queryRunner.query(`ALTER TABLE "conversations" DROP COLUMN "join_url"`);
  }
}
