import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UpdatesOfRehearsals1795858000200 implements MigrationInterface {
  name = 'UpdatesOfRehearsals1795858000200';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsals" ADD "updated_by" jsonb`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsals" DROP COLUMN "updated_by"`);
  }
}
