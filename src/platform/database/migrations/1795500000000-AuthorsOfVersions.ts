import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuthorsOfVersions1795500000000 implements MigrationInterface {
  name = 'AuthorsOfVersions1795500000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "agent_versions"
            ADD "created_by" jsonb,
            ADD "restored_from" integer
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "agent_versions" DROP COLUMN "restored_from", DROP COLUMN "created_by"
        `);
  }
}
