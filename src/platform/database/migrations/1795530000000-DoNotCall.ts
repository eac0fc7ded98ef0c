import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `skipped` of a recipient: why no call was made. */
export class DoNotCall1795530000000 implements MigrationInterface {
  name = 'DoNotCall1795530000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "do_not_call" (
                "workspace_id" uuid NOT NULL,
                "phone_number" text NOT NULL,
                "reason" text,
                "source" text NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "expires_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "do_not_call_source_known" CHECK (source IN ('api', 'import', 'opt_out')),
                CONSTRAINT "do_not_call_pkey" PRIMARY KEY ("workspace_id", "phone_number"),
                CONSTRAINT "do_not_call_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "do_not_call_workspace_id_created_at_idx" ON "do_not_call" ("workspace_id", "created_at")
        `);
    // The list begins with the people who opted out before it existed.
    await queryRunner.query(`
            INSERT INTO "do_not_call" (workspace_id, phone_number, source, created_at)
            SELECT workspace_id, number, 'opt_out', max(reported_at)
            FROM call_analyses JOIN conversations ON conversations.id = conversation_id
            CROSS JOIN LATERAL (
              SELECT CASE WHEN incoming_claim_id IS NULL THEN to_number ELSE from_number END AS number) AS party
            WHERE opt_out AND number <> '' GROUP BY workspace_id, number
        `);
    await queryRunner.query(`ALTER TABLE "campaign_recipients" ADD "skipped" text`);
    await queryRunner.query(`DROP INDEX "public"."campaign_recipients_to_call"`);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_to_call" ON "campaign_recipients" ("campaign_id", "row_number")
            WHERE conversation_id IS NULL AND skipped IS NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_skipped" ON "campaign_recipients" ("campaign_id") WHERE skipped IS NOT NULL
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."campaign_recipients_skipped"`);
    await queryRunner.query(`DROP INDEX "public"."campaign_recipients_to_call"`);
    await queryRunner.query(`ALTER TABLE "campaign_recipients" DROP COLUMN "skipped"`);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_to_call" ON "campaign_recipients" ("campaign_id", "row_number")
            WHERE conversation_id IS NULL
        `);
    await queryRunner.query(`DROP TABLE "do_not_call"`);
  }
}
