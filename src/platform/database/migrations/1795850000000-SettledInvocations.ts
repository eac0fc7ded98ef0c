import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who settled an invocation of a tool, its lease, and invocations of actions that have an address of their own. */
export class SettledInvocations1795850000000 implements MigrationInterface {
  name = 'SettledInvocations1795850000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "tool_invocations" ADD "settled_by" text, ADD "note" text NOT NULL DEFAULT '', ADD "lease_ms" integer NOT NULL DEFAULT 610000, ALTER COLUMN "tool_id" DROP NOT NULL`,
    );
    await queryRunner.query(
      `UPDATE "tool_invocations" SET "settled_by" = 'server' WHERE "settled_at" IS NOT NULL`,
    );
    await queryRunner.query(
      `ALTER TABLE "tool_invocations" ALTER COLUMN "lease_ms" DROP DEFAULT, DROP CONSTRAINT "tool_invocations_settled", ADD CONSTRAINT "tool_invocations_settled" CHECK ((state = 'running') = (settled_at IS NULL) AND (settled_at IS NULL) = (settled_by IS NULL)), ADD CONSTRAINT "tool_invocations_settled_by_known" CHECK (settled_by = ANY ('{server,person}'))`,
    );
    await queryRunner.query(
      `CREATE INDEX "tool_invocations_unknown" ON "tool_invocations" ("workspace_id", "asked_at") WHERE state = 'unknown'`,
    );
    await queryRunner.query(
      `CREATE INDEX "tool_invocations_listed" ON "tool_invocations" ("workspace_id", "asked_at", "id")`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "tool_invocations_listed"`);
    await queryRunner.query(`DROP INDEX "tool_invocations_unknown"`);
    await queryRunner.query(`DELETE FROM "tool_invocations" WHERE "tool_id" IS NULL`);
    await queryRunner.query(
      `ALTER TABLE "tool_invocations" DROP CONSTRAINT "tool_invocations_settled_by_known", DROP CONSTRAINT "tool_invocations_settled", ADD CONSTRAINT "tool_invocations_settled" CHECK ((state = 'running') = (settled_at IS NULL)), ALTER COLUMN "tool_id" SET NOT NULL, DROP COLUMN "lease_ms", DROP COLUMN "note", DROP COLUMN "settled_by"`,
    );
  }
}
