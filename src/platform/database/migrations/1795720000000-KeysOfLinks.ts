import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeysOfLinks1795720000000 implements MigrationInterface {
  name = 'KeysOfLinks1795720000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "api_keys" ADD "link_id" uuid`);
    await queryRunner.query(`CREATE INDEX "api_keys_link_id_idx" ON "api_keys" ("link_id")`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."api_keys_link_id_idx"`);
    await queryRunner.query(`ALTER TABLE "api_keys" DROP COLUMN "link_id"`);
  }
}
