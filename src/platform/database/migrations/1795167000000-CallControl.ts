import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = (...names: string[]) => `
  ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_kind_known",
  ADD CONSTRAINT "credit_entries_kind_known" CHECK (kind IN (${names.map((name) => `'${name}'`).join(', ')}))`;

export class CallControl1795167000000 implements MigrationInterface {
  name = 'CallControl1795167000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(kinds('grant', 'hold', 'release', 'charge', 'correction'));
    await queryRunner.query(
      `ALTER TABLE "conversations" ADD "hangup_requested_at" TIMESTAMP(3) WITH TIME ZONE`,
    );
    await queryRunner.query(`
            ALTER TABLE "workspaces" ADD "calls_under_way" integer NOT NULL DEFAULT 0,
            ADD CONSTRAINT "workspaces_calls_counted" CHECK (calls_under_way >= 0)
        `);
    await queryRunner.query(`
            UPDATE "workspaces" SET "calls_under_way" = under_way.calls
            FROM (
                SELECT workspace_id, count(*) AS calls FROM "conversations"
                WHERE status IN ('queued', 'accepted', 'connected') GROUP BY workspace_id
            ) AS under_way
            WHERE "workspaces"."id" = under_way.workspace_id
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "workspaces" DROP CONSTRAINT "workspaces_calls_counted", DROP COLUMN "calls_under_way"`,
    );
    await queryRunner.query(`ALTER TABLE "conversations" DROP COLUMN "hangup_requested_at"`);
    // What was corrected stays corrected: the entry becomes part of the charge.
    await queryRunner.query(`
            UPDATE "credit_entries" AS charge SET amount = charge.amount + correction.amount
            FROM "credit_entries" AS correction
            WHERE correction.kind = 'correction' AND charge.kind = 'charge'
              AND charge.conversation_id = correction.conversation_id
        `);
    await queryRunner.query(`
            DELETE FROM "credit_entries" AS correction WHERE kind = 'correction' AND EXISTS (
                SELECT FROM "credit_entries" WHERE kind = 'charge' AND conversation_id = correction.conversation_id)
        `);
    await queryRunner.query(`UPDATE "credit_entries" SET kind = 'charge' WHERE kind = 'correction'`);
    await queryRunner.query(kinds('grant', 'hold', 'release', 'charge'));
  }
}
