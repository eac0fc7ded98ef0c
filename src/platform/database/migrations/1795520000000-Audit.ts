import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Audit1795520000000 implements MigrationInterface {
  name = 'Audit1795520000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "audit_entries" (
                "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
                "workspace_id" uuid NOT NULL,
                "actor_kind" text NOT NULL,
                "actor_id" text NOT NULL,
                "actor_name" text NOT NULL,
                "action" text NOT NULL,
                "target_kind" text NOT NULL,
                "target_id" text,
                "target_name" text,
                "details" jsonb NOT NULL,
                "request_id" text,
                "ip" text,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "audit_entries_actor_known" CHECK (actor_kind = ANY ('{key,token,session,operator,runtime}')),
                CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "audit_entries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    for (const columns of [
      ['workspace_id', 'created_at', 'id'],
      ['workspace_id', 'target_id', 'created_at', 'id'],
      ['workspace_id', 'actor_id', 'created_at', 'id'],
      ['workspace_id', 'request_id'],
    ]) {
      await queryRunner.query(`
            CREATE INDEX "audit_entries_${columns.join('_')}_idx" ON "audit_entries" (${columns.map((column) => `"${column}"`).join(', ')})
        `);
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "audit_entries"`);
  }
}
