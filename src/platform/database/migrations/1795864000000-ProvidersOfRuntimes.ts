import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProvidersOfRuntimes1795864000000 implements MigrationInterface {
  name = 'ProvidersOfRuntimes1795864000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "workers" ADD COLUMN IF NOT EXISTS "providers" jsonb NOT NULL DEFAULT '[]'`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "workers" DROP COLUMN IF EXISTS "providers"`);
  }
}
