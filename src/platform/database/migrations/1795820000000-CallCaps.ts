import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallCaps1795820000000 implements MigrationInterface {
  name = 'CallCaps1795820000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "call_caps" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "calls_per_day" integer NOT NULL,
                "started_on" date,
                "started_calls" integer NOT NULL DEFAULT '0',
                CONSTRAINT "call_caps_kept" CHECK (started_calls <= calls_per_day),
                CONSTRAINT "call_caps_positive" CHECK (calls_per_day > 0),
                CONSTRAINT "call_caps_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "call_caps_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "call_caps_id_workspace_id_idx" ON "call_caps" ("id", "workspace_id")`,
    );
    await queryRunner.query(`CREATE INDEX "call_caps_workspace_id_idx" ON "call_caps" ("workspace_id")`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "call_caps"`);
  }
}
