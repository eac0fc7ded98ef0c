import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Campaigns1795161125472 implements MigrationInterface {
  name = 'Campaigns1795161125472';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "campaigns" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "agent_id" uuid NOT NULL,
                "user_id" text NOT NULL,
                "name" text NOT NULL,
                "status" text NOT NULL DEFAULT 'scheduled',
                "failure_reason" text,
                "schedule_time" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "recipient_count" integer NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "campaigns_has_recipients" CHECK (recipient_count > 0),
                CONSTRAINT "campaigns_failed_has_reason" CHECK ((status = 'failed') = (failure_reason IS NOT NULL)),
                CONSTRAINT "campaigns_status_known" CHECK (status IN ('scheduled', 'running', 'completed', 'failed')),
                CONSTRAINT "campaigns_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "campaigns_going_on" ON "campaigns" ("schedule_time")
            WHERE status IN ('scheduled', 'running')
        `);
    await queryRunner.query(`
            CREATE INDEX "campaigns_workspace_id_created_at_idx" ON "campaigns" ("workspace_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "campaign_recipients" (
                "campaign_id" uuid NOT NULL,
                "phone_number" text NOT NULL,
                "row_number" integer NOT NULL,
                "customer_name" text NOT NULL,
                "dynamic_variables" jsonb NOT NULL,
                "conversation_id" uuid,
                CONSTRAINT "campaign_recipients_pkey" PRIMARY KEY ("campaign_id", "phone_number")
            )
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "campaign_recipients_conversation" ON "campaign_recipients" ("conversation_id")
            WHERE conversation_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "campaign_recipients_to_call" ON "campaign_recipients" ("campaign_id", "row_number")
            WHERE conversation_id IS NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_of_campaign" ON "conversations" ("campaign_id", "status")
            WHERE campaign_id IS NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "campaigns"
            ADD CONSTRAINT "campaigns_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "campaign_recipients"
            ADD CONSTRAINT "campaign_recipients_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "campaign_recipients" DROP CONSTRAINT "campaign_recipients_campaign_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "campaigns" DROP CONSTRAINT "campaigns_agent_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."conversations_of_campaign"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."campaign_recipients_to_call"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."campaign_recipients_conversation"
        `);
    await queryRunner.query(`
            DROP TABLE "campaign_recipients"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."campaigns_workspace_id_created_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."campaigns_going_on"
        `);
    await queryRunner.query(`
            DROP TABLE "campaigns"
        `);
  }
}
