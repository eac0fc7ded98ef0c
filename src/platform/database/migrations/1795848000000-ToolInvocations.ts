import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ToolInvocations1795848000000 implements MigrationInterface {
  name = 'ToolInvocations1795848000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "tool_invocations" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "agent_id" uuid NOT NULL, "tool_id" uuid NOT NULL, "tool" text NOT NULL, "key" text NOT NULL, "same_as" text, "arguments" jsonb NOT NULL, "state" text NOT NULL, "result" jsonb, "error" text, "variables" jsonb NOT NULL DEFAULT '{}', "attempts" integer NOT NULL DEFAULT 0, "repeats" integer NOT NULL DEFAULT 0, "lease_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "asked_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "settled_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "tool_invocations_state_known" CHECK (state = ANY ('{running,done,refused,failed,unknown}')), CONSTRAINT "tool_invocations_settled" CHECK ((state = 'running') = (settled_at IS NULL)), CONSTRAINT "tool_invocations_pkey" PRIMARY KEY ("id"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "tool_invocations_running" ON "tool_invocations" ("lease_until") WHERE state = 'running'`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "tool_invocations_once" ON "tool_invocations" ("conversation_id", "same_as") WHERE state IN ('running', 'done', 'unknown')`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "tool_invocations_key" ON "tool_invocations" ("conversation_id", "key")`,
    );
    await queryRunner.query(
      `ALTER TABLE "tool_invocations" ADD CONSTRAINT "tool_invocations_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "tool_invocations"`);
  }
}
