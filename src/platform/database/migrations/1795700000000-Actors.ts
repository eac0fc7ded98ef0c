import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did it: the names of links, and who started or hung up a call, listed a number or created a key. */
export class Actors1795700000000 implements MigrationInterface {
  name = 'Actors1795700000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "console_links" ADD "name" text`);
    await queryRunner.query(`ALTER TABLE "sessions" ADD "name" text`);
    await queryRunner.query(
      `ALTER TABLE "conversations" ADD "started_by" jsonb, ADD "hangup_requested_by" jsonb`,
    );
    await queryRunner.query(`ALTER TABLE "do_not_call" ADD "created_by" jsonb`);
    await queryRunner.query(`ALTER TABLE "api_keys" ADD "created_by" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "api_keys" DROP COLUMN "created_by"`);
    await queryRunner.query(`ALTER TABLE "do_not_call" DROP COLUMN "created_by"`);
    await queryRunner.query(
      `ALTER TABLE "conversations" DROP COLUMN "hangup_requested_by", DROP COLUMN "started_by"`,
    );
    await queryRunner.query(`ALTER TABLE "sessions" DROP COLUMN "name"`);
    await queryRunner.query(`ALTER TABLE "console_links" DROP COLUMN "name"`);
  }
}
