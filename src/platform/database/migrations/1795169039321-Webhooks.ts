import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1795169039321 implements MigrationInterface {
  name = 'Webhooks1795169039321';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "webhook_deliveries" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "conversation_id" uuid,
                "ordering_key" uuid NOT NULL,
                "sequence" BIGSERIAL NOT NULL,
                "type" text NOT NULL,
                "url" text NOT NULL,
                "data" jsonb NOT NULL,
                "status" text NOT NULL DEFAULT 'pending',
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "attempts" integer NOT NULL DEFAULT '0',
                "failures" integer NOT NULL DEFAULT '0',
                "next_attempt_at" TIMESTAMP(3) WITH TIME ZONE DEFAULT now(),
                "give_up_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "leased_until" TIMESTAMP(3) WITH TIME ZONE,
                "last_status_code" integer,
                "last_error" text,
                CONSTRAINT "webhook_deliveries_leased_is_pending" CHECK (
                    status = 'pending'
                    OR leased_until IS NULL
                ),
                CONSTRAINT "webhook_deliveries_pending_is_due" CHECK (
                    (status = 'pending') = (next_attempt_at IS NOT NULL)
                ),
                CONSTRAINT "webhook_deliveries_status_known" CHECK (status IN ('pending', 'delivered', 'failed')),
                CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "webhook_deliveries_conversation_id_idx" ON "webhook_deliveries" ("conversation_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" ("created_at")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "webhook_deliveries_start_once" ON "webhook_deliveries" ("conversation_id")
            WHERE type = 'call.started'
        `);
    await queryRunner.query(`
            CREATE INDEX "webhook_deliveries_in_order" ON "webhook_deliveries" ("ordering_key", "sequence")
            WHERE status = 'pending'
        `);
    await queryRunner.query(`
            CREATE INDEX "webhook_deliveries_workspace_id_sequence_idx" ON "webhook_deliveries" ("workspace_id", "sequence")
        `);
    await queryRunner.query(`
            CREATE TABLE "webhook_attempts" (
                "delivery_id" uuid NOT NULL,
                "number" integer NOT NULL,
                "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "duration_ms" integer,
                "status_code" integer,
                "error" text,
                CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id", "number")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "webhook_secrets" (
                "workspace_id" uuid NOT NULL,
                "secret" text NOT NULL,
                "previous_secret" text,
                "previous_expires_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "webhook_secrets_previous_expires" CHECK (
                    (previous_secret IS NULL) = (previous_expires_at IS NULL)
                ),
                CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("workspace_id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "webhook_deliveries"
            ADD CONSTRAINT "webhook_deliveries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "webhook_deliveries"
            ADD CONSTRAINT "webhook_deliveries_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "webhook_attempts"
            ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "webhook_secrets"
            ADD CONSTRAINT "webhook_secrets_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "webhook_secrets" DROP CONSTRAINT "webhook_secrets_workspace_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_delivery_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_conversation_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_workspace_id_fkey"
        `);
    await queryRunner.query(`
            DROP TABLE "webhook_secrets"
        `);
    await queryRunner.query(`
            DROP TABLE "webhook_attempts"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."webhook_deliveries_workspace_id_sequence_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."webhook_deliveries_in_order"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."webhook_deliveries_start_once"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."webhook_deliveries_created_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."webhook_deliveries_conversation_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "webhook_deliveries"
        `);
  }
}
