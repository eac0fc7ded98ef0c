import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepingAndErasing1795600000000 implements MigrationInterface {
  name = 'KeepingAndErasing1795600000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "workspace_retention" (
                "workspace_id" uuid NOT NULL,
                "transcripts_days" integer,
                "recordings_days" integer,
                "calls_days" integer,
                "transcripts_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT '-infinity',
                "recordings_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT '-infinity',
                "revision" integer NOT NULL DEFAULT 1,
                "changed_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "workspace_retention_days" CHECK (
                    LEAST(transcripts_days, recordings_days, calls_days) >= 1
                    AND GREATEST(transcripts_days, recordings_days, calls_days) <= 36500
                ),
                CONSTRAINT "workspace_retention_pkey" PRIMARY KEY ("workspace_id"),
                CONSTRAINT "workspace_retention_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "erasures" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "phone_number" text,
                "status" text NOT NULL DEFAULT 'pending',
                "revision" integer NOT NULL DEFAULT 1,
                "calls" integer NOT NULL DEFAULT 0,
                "recipients" integer NOT NULL DEFAULT 0,
                "calls_under_way" integer NOT NULL DEFAULT 0,
                "kept_do_not_call" boolean NOT NULL DEFAULT false,
                "due_at" TIMESTAMP(3) WITH TIME ZONE DEFAULT now(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "completed_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "erasures_status_known" CHECK (status IN ('pending', 'running', 'waiting', 'completed')),
                CONSTRAINT "erasures_completed_forgets_number" CHECK (
                    (status = 'completed') = (phone_number IS NULL)
                    AND (status = 'completed') = (due_at IS NULL)
                    AND (status = 'completed') = (completed_at IS NOT NULL)
                ),
                CONSTRAINT "erasures_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "erasures_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "erasures_open" ON "erasures" ("workspace_id", "phone_number")
            WHERE phone_number IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "erasures_workspace_id_created_at_idx" ON "erasures" ("workspace_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "erasures_completed_at_idx" ON "erasures" ("completed_at") WHERE completed_at IS NOT NULL
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "erasures"`);
    await queryRunner.query(`DROP TABLE "workspace_retention"`);
  }
}
