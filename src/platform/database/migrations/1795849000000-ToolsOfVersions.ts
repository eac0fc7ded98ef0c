import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ToolsOfVersions1795849000000 implements MigrationInterface {
  name = 'ToolsOfVersions1795849000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agent_versions" ADD "tools" jsonb NOT NULL DEFAULT '[]'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agent_versions" DROP COLUMN "tools"`);
  }
}
