import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key of the first new table locks that of agents. */
export class RehearsalRuns1795853000000 implements MigrationInterface {
  name = 'RehearsalRuns1795853000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "rehearsal_runs" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "agent_id" uuid NOT NULL, "agent_version" integer NOT NULL, "cause" text NOT NULL, "mode" text NOT NULL, "seed" integer NOT NULL, "repeat" integer NOT NULL, "max_tokens" integer NOT NULL, "status" text NOT NULL DEFAULT 'queued', "created_by" text NOT NULL, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "ended_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "rehearsal_runs_mode_known" CHECK (mode IN ('text')), CONSTRAINT "rehearsal_runs_cause_known" CHECK (cause IN ('api')), CONSTRAINT "rehearsal_runs_status_known" CHECK (status IN ('queued', 'running', 'passed', 'failed', 'error', 'cancelled')), CONSTRAINT "rehearsal_runs_pkey" PRIMARY KEY ("id"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "rehearsal_runs_open_idx" ON "rehearsal_runs" ("workspace_id") WHERE ended_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "rehearsal_runs_ended_at_idx" ON "rehearsal_runs" ("ended_at") WHERE ended_at IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "rehearsal_runs_workspace_id_created_at_idx" ON "rehearsal_runs" ("workspace_id", "created_at")`,
    );
    await queryRunner.query(
      `CREATE TABLE "rehearsal_results" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "run_id" uuid NOT NULL, "position" integer NOT NULL, "name" text NOT NULL, "repeat" integer NOT NULL, "seed" integer NOT NULL, "definition" jsonb, "status" text NOT NULL DEFAULT 'queued', "attempts" integer NOT NULL DEFAULT '0', "published_at" TIMESTAMP(3) WITH TIME ZONE, "expires_at" TIMESTAMP(3) WITH TIME ZONE, "claim_id" uuid, "worker_id" text, "token" uuid, "accepted_at" TIMESTAMP(3) WITH TIME ZONE, "heartbeat_at" TIMESTAMP(3) WITH TIME ZONE, "over_at" TIMESTAMP(3) WITH TIME ZONE, "facts" jsonb, "checks" jsonb, "error" text, "tokens" integer NOT NULL DEFAULT '0', "ended_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "rehearsal_results_end_fits_status" CHECK ((ended_at IS NULL) = (status IN ('queued', 'offered', 'playing'))), CONSTRAINT "rehearsal_results_status_known" CHECK (status IN ('queued', 'offered', 'playing', 'passed', 'failed', 'error')), CONSTRAINT "rehearsal_results_pkey" PRIMARY KEY ("id"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "rehearsal_results_workspace_id_ended_at_idx" ON "rehearsal_results" ("workspace_id", "ended_at")`,
    );
    await queryRunner.query(
      `CREATE INDEX "rehearsal_results_unfinished_idx" ON "rehearsal_results" ("workspace_id", "status", "run_id", "position") WHERE ended_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "rehearsal_results_run_id_name_repeat_idx" ON "rehearsal_results" ("run_id", "name", "repeat")`,
    );
    await queryRunner.query(
      `ALTER TABLE "rehearsal_runs" ADD CONSTRAINT "rehearsal_runs_agent_id_workspace_id_fkey" FOREIGN KEY ("agent_id", "workspace_id") REFERENCES "agents"("id", "workspace_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "rehearsal_results" ADD CONSTRAINT "rehearsal_results_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "rehearsal_runs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "rehearsal_results"`);
    await queryRunner.query(`DROP TABLE "rehearsal_runs"`);
  }
}
