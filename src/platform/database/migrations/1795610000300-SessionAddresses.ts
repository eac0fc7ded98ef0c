import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions that began before have no address. */
export class SessionAddresses1795610000300 implements MigrationInterface {
  name = 'SessionAddresses1795610000300';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "sessions" ADD "ip" text`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "sessions" DROP COLUMN "ip"`);
  }
}
