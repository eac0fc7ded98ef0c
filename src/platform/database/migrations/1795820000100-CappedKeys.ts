import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';

/** No transaction, since the index is built while requests go on. Each statement can be repeated. */
export class CappedKeys1795820000100 implements MigrationInterface {
  name = 'CappedKeys1795820000100';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    const key = 'api_keys_cap_id_workspace_id_fkey';
    await queryRunner.query(
      `ALTER TABLE "api_keys" ADD COLUMN IF NOT EXISTS "cap_id" uuid,
       DROP CONSTRAINT IF EXISTS "${key}",
       ADD CONSTRAINT "${key}" FOREIGN KEY ("cap_id", "workspace_id") REFERENCES "call_caps"("id", "workspace_id")`,
    );
    await buildIndex(queryRunner, 'api_keys_cap_id_idx', '"api_keys" ("cap_id")');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "api_keys" DROP COLUMN "cap_id"`);
  }
}
