import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyChains1795174100000 implements MigrationInterface {
  name = 'KeyChains1795174100000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "api_keys" ADD "parent_id" uuid`);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "api_keys_id_workspace_id_idx" ON "api_keys" ("id", "workspace_id")
        `);
    await queryRunner.query(`CREATE INDEX "api_keys_parent_id_idx" ON "api_keys" ("parent_id")`);
    await queryRunner.query(`
            ALTER TABLE "api_keys"
            ADD CONSTRAINT "api_keys_parent_id_workspace_id_fkey" FOREIGN KEY ("parent_id", "workspace_id") REFERENCES "api_keys"("id", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_parent_id_workspace_id_fkey"`);
    await queryRunner.query(`DROP INDEX "public"."api_keys_parent_id_idx"`);
    await queryRunner.query(`DROP INDEX "public"."api_keys_id_workspace_id_idx"`);
    await queryRunner.query(`ALTER TABLE "api_keys" DROP COLUMN "parent_id"`);
  }
}
