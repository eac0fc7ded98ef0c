import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables are empty at first: the server rolls up existing calls while it runs. */
export class CallRollups1795310000000 implements MigrationInterface {
  name = 'CallRollups1795310000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "call_rollup_states" (
                "workspace_id" uuid NOT NULL,
                "rolled_up_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT '-infinity',
                "revision" bigint NOT NULL DEFAULT '0',
                CONSTRAINT "call_rollup_states_pkey" PRIMARY KEY ("workspace_id"),
                CONSTRAINT "call_rollup_states_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "call_rollups" (
                "workspace_id" uuid NOT NULL,
                "subject_id" uuid NOT NULL,
                "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "seconds" bigint NOT NULL,
                "credits" bigint NOT NULL,
                "connected" integer NOT NULL,
                "failed" integer NOT NULL,
                "bucket_minutes" smallint NOT NULL,
                "call_type" text NOT NULL,
                CONSTRAINT "call_rollups_pkey" PRIMARY KEY ("subject_id", "bucket_minutes", "starts_at", "call_type"),
                CONSTRAINT "call_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "call_rollup_states"("workspace_id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`INSERT INTO "call_rollup_states" (workspace_id) SELECT id FROM "workspaces"`);
    await queryRunner.query(`DROP INDEX "public"."conversations_statistics"`);
    await queryRunner.query(`DROP INDEX "public"."conversations_workspace_id_agent_id_created_at_idx"`);
    await queryRunner.query(`
            CREATE INDEX "conversations_workspace_id_created_at_idx" ON "conversations" ("workspace_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_agent_id_created_at_idx" ON "conversations" ("agent_id", "created_at")
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."conversations_agent_id_created_at_idx"`);
    await queryRunner.query(`DROP INDEX "public"."conversations_workspace_id_created_at_idx"`);
    await queryRunner.query(`
            CREATE INDEX "conversations_workspace_id_agent_id_created_at_idx" ON "conversations" ("workspace_id", "agent_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_statistics" ON "conversations" (
                "workspace_id", "created_at", "id", "agent_id", "status", "call_type", "duration_sec"
            )
        `);
    await queryRunner.query(`DROP TABLE "call_rollups"`);
    await queryRunner.query(`DROP TABLE "call_rollup_states"`);
  }
}
