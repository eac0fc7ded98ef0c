import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The states of recipients are stored and counted from now on; until now the calls had them. */
export class CampaignSteering1795530100000 implements MigrationInterface {
  name = 'CampaignSteering1795530100000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversations" ADD "attempt" smallint NOT NULL DEFAULT '1'`);
    await this.changeRecipients(queryRunner);
    await this.changeCampaigns(queryRunner);
    await queryRunner.query(`
            CREATE TABLE "campaign_zones" (
                "campaign_id" uuid NOT NULL,
                "timezone" text NOT NULL,
                "opens_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT '-infinity',
                "closes_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT 'infinity',
                CONSTRAINT "campaign_zones_pkey" PRIMARY KEY ("campaign_id", "timezone"),
                CONSTRAINT "campaign_zones_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(
      `INSERT INTO "campaign_zones" (campaign_id, timezone) SELECT id, '' FROM "campaigns"`,
    );
    await queryRunner.query(`
            CREATE TABLE "campaign_log" (
                "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
                "campaign_id" uuid NOT NULL,
                "at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "event" text NOT NULL,
                "actor" jsonb,
                "text" text NOT NULL,
                "data" jsonb NOT NULL DEFAULT '{}',
                CONSTRAINT "campaign_log_event_known" CHECK (event IN ('created', 'begun', 'paused', 'resumed', 'cancelled', 'changed', 'recipient_removed', 'waiting', 'went_on', 'expired', 'completed', 'failed')),
                CONSTRAINT "campaign_log_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "campaign_log_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(
      `CREATE INDEX "campaign_log_campaign_id_id_idx" ON "campaign_log" ("campaign_id", "id")`,
    );
  }

  private async changeRecipients(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."campaign_recipients_skipped"`);
    await queryRunner.query(`DROP INDEX "public"."campaign_recipients_to_call"`);
    await queryRunner.query(`
            ALTER TABLE "campaign_recipients"
            ADD "status" text NOT NULL DEFAULT 'pending', ADD "timezone" text NOT NULL DEFAULT '',
            ADD "attempts" smallint NOT NULL DEFAULT '0', ADD "next_attempt_at" TIMESTAMP(3) WITH TIME ZONE,
            ADD "removed" boolean NOT NULL DEFAULT false
        `);
    await queryRunner.query(`
            UPDATE "campaign_recipients" AS recipient
            SET attempts = CASE WHEN call.id IS NULL THEN 0 ELSE 1 END,
                status = CASE WHEN recipient.skipped IS NOT NULL THEN 'skipped' WHEN call.ended_at IS NULL THEN 'calling'
                              WHEN call.disconnect_reason = 'worker_lost' THEN 'lost' ELSE call.status END
            FROM "campaign_recipients" AS known LEFT JOIN "conversations" AS call ON call.id = known.conversation_id
            WHERE known.campaign_id = recipient.campaign_id AND known.phone_number = recipient.phone_number
              AND (recipient.skipped IS NOT NULL OR recipient.conversation_id IS NOT NULL)
        `);
    await queryRunner.query(`
            ALTER TABLE "campaign_recipients"
            ADD CONSTRAINT "campaign_recipients_status_known"
            CHECK (status IN ('pending', 'calling', 'retrying', 'lost', 'disconnected', 'failed', 'skipped')),
            ADD CONSTRAINT "campaign_recipients_skipped_known"
            CHECK (skipped IN ('do_not_call', 'removed', 'expired', 'cancelled'))
        `);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_pending" ON "campaign_recipients" ("campaign_id", "timezone", "row_number")
            WHERE status = 'pending'
        `);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_retrying" ON "campaign_recipients" ("campaign_id", "timezone", "next_attempt_at")
            WHERE status = 'retrying'
        `);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_in_calls" ON "campaign_recipients" ("campaign_id", "status")
            WHERE status IN ('calling', 'lost')
        `);
  }

  private async changeCampaigns(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "campaigns"
            ADD "is_over" boolean NOT NULL DEFAULT false, ADD "timezone" text NOT NULL DEFAULT 'UTC',
            ADD "windows" jsonb NOT NULL DEFAULT '[]', ADD "concurrency" integer,
            ADD "calls_per_second" double precision, ADD "paced_until" TIMESTAMP WITH TIME ZONE, ADD "retry" jsonb,
            ADD "webhook_url" text NOT NULL DEFAULT '', ADD "expires_at" TIMESTAMP(3) WITH TIME ZONE,
            ADD "waiting" text, ADD "waiting_since" TIMESTAMP(3) WITH TIME ZONE,
            ADD "outcomes" jsonb NOT NULL DEFAULT '{}',
            ADD "count_pending" integer NOT NULL DEFAULT '0', ADD "count_calling" integer NOT NULL DEFAULT '0',
            ADD "count_retrying" integer NOT NULL DEFAULT '0', ADD "count_lost" integer NOT NULL DEFAULT '0',
            ADD "count_disconnected" integer NOT NULL DEFAULT '0', ADD "count_failed" integer NOT NULL DEFAULT '0',
            ADD "count_skipped" integer NOT NULL DEFAULT '0'
        `);
    await queryRunner.query(`
            UPDATE "campaigns"
            SET count_pending = recipient_count - known, count_calling = calling, count_lost = lost,
                count_disconnected = disconnected, count_failed = failed, count_skipped = skipped,
                is_over = campaigns.status IN ('completed', 'failed') AND calling = 0
            FROM (
              SELECT id, count(*) FILTER (WHERE recipient.status <> 'pending') AS known,
                     count(*) FILTER (WHERE recipient.status = 'calling') AS calling,
                     count(*) FILTER (WHERE recipient.status = 'lost') AS lost,
                     count(*) FILTER (WHERE recipient.status = 'disconnected') AS disconnected,
                     count(*) FILTER (WHERE recipient.status = 'failed') AS failed,
                     count(*) FILTER (WHERE recipient.status = 'skipped') AS skipped
              FROM "campaigns" LEFT JOIN "campaign_recipients" AS recipient ON campaign_id = id GROUP BY id
            ) AS counted
            WHERE campaigns.id = counted.id
        `);
    await queryRunner.query(`
            UPDATE "campaigns" SET outcomes = counted.outcomes
            FROM (
              SELECT campaign_id, jsonb_object_agg(outcome, count) AS outcomes
              FROM (
                SELECT recipient.campaign_id, call.disconnect_reason AS outcome, count(*) AS count
                FROM "campaign_recipients" AS recipient JOIN "conversations" AS call ON call.id = conversation_id
                WHERE recipient.status IN ('disconnected', 'failed') GROUP BY 1, 2
              ) AS ended GROUP BY campaign_id
            ) AS counted
            WHERE id = counted.campaign_id
        `);
    await queryRunner.query(`ALTER TABLE "campaigns" DROP CONSTRAINT "campaigns_status_known"`);
    await queryRunner.query(`DROP INDEX "public"."campaigns_going_on"`);
    await queryRunner.query(`
            ALTER TABLE "campaigns"
            ADD CONSTRAINT "campaigns_status_known"
            CHECK (status IN ('scheduled', 'running', 'paused', 'completed', 'failed', 'cancelled')),
            ADD CONSTRAINT "campaigns_recipients_add_up"
            CHECK (count_pending + count_calling + count_retrying + count_lost + count_disconnected + count_failed + count_skipped = recipient_count),
            ADD CONSTRAINT "campaigns_open_is_not_over"
            CHECK (NOT (is_over AND status IN ('scheduled', 'running', 'paused')))
        `);
    await queryRunner.query(
      `CREATE INDEX "campaigns_going_on" ON "campaigns" ("schedule_time") WHERE NOT is_over`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "campaign_log"`);
    await queryRunner.query(`DROP TABLE "campaign_zones"`);
    await queryRunner.query(`DROP INDEX "public"."campaigns_going_on"`);
    for (const name of ['open_is_not_over', 'recipients_add_up', 'status_known']) {
      await queryRunner.query(`ALTER TABLE "campaigns" DROP CONSTRAINT "campaigns_${name}"`);
    }
    // The earlier release knows neither: it completes both when no recipient is left.
    await queryRunner.query(
      `UPDATE "campaigns" SET status = 'completed' WHERE status IN ('paused', 'cancelled')`,
    );
    await queryRunner.query(`
            ALTER TABLE "campaigns"
            DROP COLUMN "is_over", DROP COLUMN "timezone", DROP COLUMN "windows", DROP COLUMN "concurrency",
            DROP COLUMN "calls_per_second", DROP COLUMN "paced_until", DROP COLUMN "retry", DROP COLUMN "webhook_url",
            DROP COLUMN "expires_at", DROP COLUMN "waiting", DROP COLUMN "waiting_since", DROP COLUMN "outcomes",
            DROP COLUMN "count_pending", DROP COLUMN "count_calling", DROP COLUMN "count_retrying",
            DROP COLUMN "count_lost", DROP COLUMN "count_disconnected", DROP COLUMN "count_failed",
            DROP COLUMN "count_skipped",
            ADD CONSTRAINT "campaigns_status_known" CHECK (status IN ('scheduled', 'running', 'completed', 'failed'))
        `);
    await queryRunner.query(`
            CREATE INDEX "campaigns_going_on" ON "campaigns" ("schedule_time") WHERE status IN ('scheduled', 'running')
        `);
    // A recipient who had a call is not called by the earlier release again.
    for (const name of [
      'campaign_recipients_in_calls',
      'campaign_recipients_retrying',
      'campaign_recipients_pending',
    ]) {
      await queryRunner.query(`DROP INDEX "public"."${name}"`);
    }
    await queryRunner.query(`
            ALTER TABLE "campaign_recipients"
            DROP CONSTRAINT "campaign_recipients_skipped_known", DROP CONSTRAINT "campaign_recipients_status_known",
            DROP COLUMN "removed", DROP COLUMN "next_attempt_at", DROP COLUMN "attempts", DROP COLUMN "timezone",
            DROP COLUMN "status"
        `);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_to_call" ON "campaign_recipients" ("campaign_id", "row_number")
            WHERE conversation_id IS NULL AND skipped IS NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_skipped" ON "campaign_recipients" ("campaign_id") WHERE skipped IS NOT NULL
        `);
    await queryRunner.query(`ALTER TABLE "conversations" DROP COLUMN "attempt"`);
  }
}
