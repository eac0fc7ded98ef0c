import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves the sums over calls out of the agents' rows, and lets the updates of a call in progress change no index. */
export class CallRows1795200100000 implements MigrationInterface {
  name = 'CallRows1795200100000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "agent_call_totals" (
                "agent_id" uuid NOT NULL,
                "calls" integer NOT NULL,
                "successful" integer NOT NULL,
                "seconds" integer NOT NULL,
                "last_ended_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "agent_call_totals_pkey" PRIMARY KEY ("agent_id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "agent_call_totals"
            ADD CONSTRAINT "agent_call_totals_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            INSERT INTO "agent_call_totals" (agent_id, calls, successful, seconds, last_ended_at)
            SELECT id, ended_calls_total, ended_calls_successful, ended_calls_seconds, COALESCE(ended_calls_last_at, created_at)
            FROM "agents" WHERE ended_calls_total > 0
        `);
    await queryRunner.query(`
            ALTER TABLE "agents" DROP COLUMN "ended_calls_total", DROP COLUMN "ended_calls_successful",
            DROP COLUMN "ended_calls_seconds", DROP COLUMN "ended_calls_last_at"
        `);
    await queryRunner.query(`DROP INDEX "conversations_queued"`);
    await queryRunner.query(`DROP INDEX "conversations_under_way"`);
    await queryRunner.query(`DROP INDEX "conversations_of_campaign"`);
    await queryRunner.query(`
            CREATE INDEX "conversations_in_progress" ON "conversations" ("expires_at") WHERE ended_at IS NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_of_campaign_in_progress" ON "conversations" ("campaign_id")
            WHERE campaign_id IS NOT NULL AND ended_at IS NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_of_campaign_ended" ON "conversations" ("campaign_id", "charge")
            WHERE campaign_id IS NOT NULL AND ended_at IS NOT NULL
        `);
    // Room for the next versions of a row on its page. Otherwise each of them needs entries in all indexes.
    await queryRunner.query(`ALTER TABLE "conversations" SET (fillfactor = 80)`);
    await queryRunner.query(`ALTER TABLE "workspaces" SET (fillfactor = 50)`);
    await queryRunner.query(`ALTER TABLE "agent_call_totals" SET (fillfactor = 50)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "workspaces" RESET (fillfactor)`);
    await queryRunner.query(`ALTER TABLE "conversations" RESET (fillfactor)`);
    await queryRunner.query(`DROP INDEX "conversations_of_campaign_ended"`);
    await queryRunner.query(`DROP INDEX "conversations_of_campaign_in_progress"`);
    await queryRunner.query(`DROP INDEX "conversations_in_progress"`);
    await queryRunner.query(`
            CREATE INDEX "conversations_of_campaign" ON "conversations" ("campaign_id", "status") WHERE campaign_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_under_way" ON "conversations" ("heartbeat_at") WHERE status IN ('accepted', 'connected')
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_queued" ON "conversations" ("expires_at") WHERE status = 'queued'
        `);
    await queryRunner.query(`
            ALTER TABLE "agents" ADD "ended_calls_total" integer NOT NULL DEFAULT '0',
            ADD "ended_calls_successful" integer NOT NULL DEFAULT '0',
            ADD "ended_calls_seconds" integer NOT NULL DEFAULT '0',
            ADD "ended_calls_last_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            UPDATE "agents" SET ended_calls_total = calls, ended_calls_successful = successful,
              ended_calls_seconds = seconds, ended_calls_last_at = last_ended_at
            FROM "agent_call_totals" WHERE agent_id = id
        `);
    await queryRunner.query(`DROP TABLE "agent_call_totals"`);
  }
}
