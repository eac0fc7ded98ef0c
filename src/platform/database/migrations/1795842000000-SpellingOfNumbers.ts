import type { MigrationInterface, QueryRunner } from 'typeorm';
import { canonicalNumber } from '../../validation/phone-number';

/** The number of entries that are read at once. */
const BATCH = 10_000;

interface Entry {
  workspace: string;
  number: string;
}

/**
 * The last release took +4402079460958 for another number than +442079460958. An entry of the do-not-call list with
 * such a spelling gets one with the spelling that numbers are compared by. The old one stays for servers of that release.
 */
export class SpellingOfNumbers1795842000000 implements MigrationInterface {
  name = 'SpellingOfNumbers1795842000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (
      let after: Entry | undefined = { workspace: '00000000-0000-0000-0000-000000000000', number: '' };
      after;
    ) {
      const entries = (await queryRunner.query(
        `SELECT workspace_id AS workspace, phone_number AS number FROM do_not_call
         WHERE (workspace_id, phone_number) > ($1::uuid, $2) ORDER BY workspace_id, phone_number LIMIT ${BATCH}`,
        [after.workspace, after.number],
      )) as Entry[];
      for (const { workspace, number } of entries) {
        const canonical = canonicalNumber(number);
        if (canonical === undefined || canonical === number) continue;
        await queryRunner.query(
          `INSERT INTO do_not_call (workspace_id, phone_number, reason, source, created_by, created_at, expires_at)
           SELECT workspace_id, $3, reason, source, created_by, created_at, expires_at FROM do_not_call AS entry
           WHERE workspace_id = $1 AND phone_number = $2
           ON CONFLICT (workspace_id, phone_number) DO UPDATE SET expires_at =
             CASE WHEN do_not_call.expires_at IS NOT NULL AND excluded.expires_at IS NOT NULL
               THEN GREATEST(do_not_call.expires_at, excluded.expires_at) END`,
          [workspace, number, canonical],
        );
      }
      after = entries.length === BATCH ? entries.at(-1) : undefined;
    }
  }

  // An entry more keeps a person from being called.
  public async down(): Promise<void> {}
}
