import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';
import { replaceCheck } from '../replace-check';

const REFERRING = ['console_links', 'sessions'];

const allowActors = (runner: QueryRunner, kinds: string) =>
  replaceCheck(runner, 'audit_entries', 'audit_entries_actor_known', `actor_kind = ANY ('{${kinds}}')`);

/** Each statement has a transaction of its own: servers of the last release lock these tables in another order. */
export class PeopleReferences1795800000100 implements MigrationInterface {
  name = 'PeopleReferences1795800000100';
  transaction = false;

  /** Each statement can be repeated, since a migration that waits too long for a lock begins again. */
  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of REFERRING) {
      const key = `${table}_person_id_workspace_id_fkey`;
      await queryRunner.query(
        `ALTER TABLE "${table}" ADD COLUMN IF NOT EXISTS "person_id" uuid,
         DROP CONSTRAINT IF EXISTS "${key}",
         ADD CONSTRAINT "${key}" FOREIGN KEY ("person_id", "workspace_id") REFERENCES "people"("id", "workspace_id") ON DELETE CASCADE`,
      );
    }
    await queryRunner.query(`ALTER TABLE "api_keys" ADD COLUMN IF NOT EXISTS "person_id" uuid`);
    await allowActors(queryRunner, 'key,token,session,person,operator,runtime');
    for (const table of ['api_keys', ...REFERRING]) {
      await buildIndex(queryRunner, `${table}_person_id_idx`, `"${table}" ("person_id")`);
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "audit_entries" WHERE actor_kind = 'person'`);
    await allowActors(queryRunner, 'key,token,session,operator,runtime');
    for (const table of ['api_keys', ...REFERRING]) {
      await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "person_id"`);
    }
  }
}
