import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InitialSchema1795159114796 implements MigrationInterface {
  name = 'InitialSchema1795159114796';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "workspaces" (
                "id" uuid NOT NULL,
                "name" text NOT NULL,
                "subscription_status" text NOT NULL DEFAULT 'active',
                "credits" integer NOT NULL DEFAULT '0',
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "workspaces_subscription_known" CHECK (subscription_status IN ('active', 'inactive')),
                CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "agents" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "user_id" text NOT NULL,
                "name" text NOT NULL,
                "type" text NOT NULL,
                "category" text array NOT NULL DEFAULT '{}',
                "status" boolean NOT NULL DEFAULT true,
                "config" jsonb NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
                "deployment_status" text NOT NULL DEFAULT 'draft',
                "deployment_version" integer NOT NULL DEFAULT '1',
                "deployment_deployed_at" TIMESTAMP(3) WITH TIME ZONE,
                "deployment_last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "deployment_error" text,
                "ended_calls_total" integer NOT NULL DEFAULT '0',
                "ended_calls_successful" integer NOT NULL DEFAULT '0',
                "ended_calls_seconds" integer NOT NULL DEFAULT '0',
                "ended_calls_last_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "agents_deployment_status_known" CHECK (
                    deployment_status IN ('draft', 'deploying', 'active', 'failed')
                ),
                CONSTRAINT "agents_type_known" CHECK (
                    type IN ('inbound', 'outbound', 'chat', 'hybrid')
                ),
                CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "agents_workspace_id_created_at_idx" ON "agents" ("workspace_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "prompt_templates" (
                "id" text NOT NULL,
                "workspace_id" uuid,
                "name" text NOT NULL,
                "category" text array NOT NULL DEFAULT '{}',
                "greeting" text NOT NULL,
                "prompt" text NOT NULL,
                "dynamic_variables" text array NOT NULL DEFAULT '{}',
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "prompt_templates_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "prompt_templates_workspace_id_idx" ON "prompt_templates" ("workspace_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "api_keys" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "user_id" text NOT NULL,
                "hash" bytea NOT NULL,
                "hint" text NOT NULL,
                "scopes" text array,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "revoked_at" TIMESTAMP(3) WITH TIME ZONE,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "api_keys_workspace_id_idx" ON "api_keys" ("workspace_id")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "api_keys_hash_idx" ON "api_keys" ("hash")
        `);
    await queryRunner.query(`
            CREATE TABLE "phone_numbers" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "number" text NOT NULL,
                "agent_id" uuid,
                "type" text NOT NULL DEFAULT 'inbound',
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "phone_numbers_type_known" CHECK (type IN ('inbound', 'outbound')),
                CONSTRAINT "phone_numbers_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "phone_numbers_number_idx" ON "phone_numbers" ("number")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "phone_numbers_agent_id_idx" ON "phone_numbers" ("agent_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "phone_numbers_workspace_id_created_at_idx" ON "phone_numbers" ("workspace_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "credit_entries" (
                "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
                "workspace_id" uuid NOT NULL,
                "conversation_id" uuid,
                "kind" text NOT NULL,
                "amount" integer NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "credit_entries_kind_known" CHECK (kind IN ('grant', 'hold', 'release', 'charge')),
                CONSTRAINT "credit_entries_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "credit_entries_workspace_id_idx" ON "credit_entries" ("workspace_id")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "credit_entries_once_per_call" ON "credit_entries" ("conversation_id", "kind")
            WHERE conversation_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE TABLE "users" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "users_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "users_workspace_id_idx" ON "users" ("workspace_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "conversations" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "agent_id" uuid NOT NULL,
                "user_id" text NOT NULL,
                "campaign_id" uuid,
                "status" text NOT NULL DEFAULT 'queued',
                "call_type" text NOT NULL,
                "direction" text NOT NULL,
                "channel" text NOT NULL,
                "to_number" text NOT NULL,
                "from_number" text NOT NULL,
                "request" jsonb NOT NULL,
                "agent_version" integer NOT NULL,
                "agent_snapshot" jsonb NOT NULL,
                "hold" integer NOT NULL,
                "charge" integer NOT NULL DEFAULT '0',
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_publish_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "dispatched_at" TIMESTAMP(3) WITH TIME ZONE,
                "claim_id" uuid,
                "token" uuid,
                "worker_id" text,
                "accepted_at" TIMESTAMP(3) WITH TIME ZONE,
                "heartbeat_at" TIMESTAMP(3) WITH TIME ZONE,
                "connected_at" TIMESTAMP(3) WITH TIME ZONE,
                "ended_at" TIMESTAMP(3) WITH TIME ZONE,
                "duration_sec" integer NOT NULL DEFAULT '0',
                "disconnect_reason" text,
                "disconnected_by" text,
                "summary" text NOT NULL DEFAULT '',
                "process_compliance" text NOT NULL DEFAULT '',
                "outcome" text NOT NULL DEFAULT '',
                CONSTRAINT "conversations_ended_has_reason" CHECK ((ended_at IS NULL) = (disconnect_reason IS NULL)),
                CONSTRAINT "conversations_claimed_once" CHECK (
                    (status IN ('accepted', 'connected')) <= (token IS NOT NULL)
                ),
                CONSTRAINT "conversations_status_known" CHECK (
                    status IN (
                        'queued',
                        'accepted',
                        'connected',
                        'disconnected',
                        'failed'
                    )
                ),
                CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_under_way" ON "conversations" ("heartbeat_at")
            WHERE status IN ('accepted', 'connected')
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_queued" ON "conversations" ("expires_at")
            WHERE status = 'queued'
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_workspace_id_agent_id_created_at_idx" ON "conversations" ("workspace_id", "agent_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_statistics" ON "conversations" (
                "workspace_id", "created_at", "id", "agent_id", "status", "call_type", "duration_sec"
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "agents"
            ADD CONSTRAINT "agents_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "prompt_templates"
            ADD CONSTRAINT "prompt_templates_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys"
            ADD CONSTRAINT "api_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "phone_numbers"
            ADD CONSTRAINT "phone_numbers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "credit_entries"
            ADD CONSTRAINT "credit_entries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "users"
            ADD CONSTRAINT "users_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "conversations"
            ADD CONSTRAINT "conversations_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "conversations" DROP CONSTRAINT "conversations_agent_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "users" DROP CONSTRAINT "users_workspace_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_workspace_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "phone_numbers" DROP CONSTRAINT "phone_numbers_workspace_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_workspace_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "prompt_templates" DROP CONSTRAINT "prompt_templates_workspace_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "agents" DROP CONSTRAINT "agents_workspace_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."conversations_workspace_id_agent_id_created_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."conversations_statistics"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."conversations_queued"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."conversations_under_way"
        `);
    await queryRunner.query(`
            DROP TABLE "conversations"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."users_workspace_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "users"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."credit_entries_once_per_call"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."credit_entries_workspace_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "credit_entries"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."phone_numbers_workspace_id_created_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."phone_numbers_agent_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."phone_numbers_number_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "phone_numbers"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."api_keys_hash_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."api_keys_workspace_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "api_keys"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."prompt_templates_workspace_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "prompt_templates"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."agents_workspace_id_created_at_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "agents"
        `);
    await queryRunner.query(`
            DROP TABLE "workspaces"
        `);
  }
}
