import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CampaignsAndDoNotCall1795610000100 implements MigrationInterface {
  name = 'CampaignsAndDoNotCall1795610000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // Volatile: it reads by a snapshot of its own, newer than that of the statement that calls it.
    await queryRunner.query(`
      CREATE FUNCTION do_not_call_entries(workspace_ids uuid[], numbers text[]) RETURNS SETOF do_not_call
      LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
      BEGIN
        RETURN QUERY
          SELECT entry.*
          FROM unnest(workspace_ids, numbers) AS asked (asked_workspace, asked_number)
          CROSS JOIN LATERAL (
            SELECT * FROM do_not_call WHERE workspace_id = asked_workspace AND phone_number = asked_number LIMIT 1
          ) AS entry;
      END $$`);
    await queryRunner.query(`ALTER TABLE "campaigns" ADD "has_begun" boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`
      UPDATE campaigns SET has_begun = true
      WHERE status IN ('running', 'completed', 'failed')
         OR status IN ('paused', 'cancelled') AND schedule_time <= now()`);
    await queryRunner.query(`UPDATE do_not_call SET reason = NULL WHERE reason = ''`);
    await queryRunner.query(
      `CREATE INDEX "do_not_call_expires_at_idx" ON "do_not_call" ("expires_at") WHERE expires_at IS NOT NULL`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "do_not_call_expires_at_idx"`);
    await queryRunner.query(`ALTER TABLE "campaigns" DROP COLUMN "has_begun"`);
    await queryRunner.query(`DROP FUNCTION do_not_call_entries(uuid[], text[])`);
  }
}
