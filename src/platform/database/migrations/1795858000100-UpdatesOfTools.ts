import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UpdatesOfTools1795858000100 implements MigrationInterface {
  name = 'UpdatesOfTools1795858000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "tools" ADD "updated_by" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "tools" DROP COLUMN "updated_by"`);
  }
}
