import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WorkspaceLimits1795174000000 implements MigrationInterface {
  name = 'WorkspaceLimits1795174000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "workspaces"
            ADD "suspended_at" TIMESTAMP(3) WITH TIME ZONE,
            ADD "tokens_not_before" TIMESTAMP(3) WITH TIME ZONE,
            ADD "spent_on" date,
            ADD "spent_credits" integer NOT NULL DEFAULT '0',
            ADD "quotas_agents" integer,
            ADD "quotas_knowledge_base_bytes" bigint,
            ADD "quotas_api_keys" integer,
            ADD "quotas_phone_numbers" integer,
            ADD "quotas_recipients" integer,
            ADD "quotas_concurrent_calls" integer,
            ADD "quotas_requests_per_minute" integer,
            ADD "quotas_credits_per_day" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "workspaces"
            ADD CONSTRAINT "workspaces_quotas_not_negative" CHECK (LEAST(quotas_agents, quotas_knowledge_base_bytes, quotas_api_keys, quotas_phone_numbers, quotas_recipients, quotas_concurrent_calls, quotas_requests_per_minute, quotas_credits_per_day) >= 0)
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "workspaces" DROP CONSTRAINT "workspaces_quotas_not_negative"`);
    await queryRunner.query(`
            ALTER TABLE "workspaces"
            DROP COLUMN "suspended_at", DROP COLUMN "tokens_not_before", DROP COLUMN "spent_on",
            DROP COLUMN "spent_credits", DROP COLUMN "quotas_agents", DROP COLUMN "quotas_knowledge_base_bytes",
            DROP COLUMN "quotas_api_keys", DROP COLUMN "quotas_phone_numbers", DROP COLUMN "quotas_recipients",
            DROP COLUMN "quotas_concurrent_calls", DROP COLUMN "quotas_requests_per_minute",
            DROP COLUMN "quotas_credits_per_day"
        `);
  }
}
