import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';
import { replaceCheck } from '../replace-check';

const CHECK_OF_AGENTS = 'agents_publish_known';
const CHECK_OF_WORKSPACES = 'workspaces_publish_known';
const IS_KNOWN = `publish IN ('automatic', 'gated')`;

const allowCauses = (runner: QueryRunner, causes: string) =>
  replaceCheck(runner, 'rehearsal_runs', 'rehearsal_runs_cause_known', `cause IN (${causes})`);

/** Each statement has a transaction of its own, and can be repeated. */
export class Publishing1795860000000 implements MigrationInterface {
  name = 'Publishing1795860000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "workspaces" ADD COLUMN IF NOT EXISTS "publish" text NOT NULL DEFAULT 'automatic',
       DROP CONSTRAINT IF EXISTS "${CHECK_OF_WORKSPACES}",
       ADD CONSTRAINT "${CHECK_OF_WORKSPACES}" CHECK (${IS_KNOWN}) NOT VALID`,
    );
    await queryRunner.query(`ALTER TABLE "workspaces" VALIDATE CONSTRAINT "${CHECK_OF_WORKSPACES}"`);
    await queryRunner.query(
      `ALTER TABLE "agents" ADD COLUMN IF NOT EXISTS "publish" text,
       ADD COLUMN IF NOT EXISTS "gated" boolean NOT NULL DEFAULT false,
       ADD COLUMN IF NOT EXISTS "active_version" integer, ADD COLUMN IF NOT EXISTS "active_type" text,
       ADD COLUMN IF NOT EXISTS "previous_version" integer, ADD COLUMN IF NOT EXISTS "deployment_by" jsonb,
       ADD COLUMN IF NOT EXISTS "deployment_run_id" uuid,
       DROP CONSTRAINT IF EXISTS "${CHECK_OF_AGENTS}",
       ADD CONSTRAINT "${CHECK_OF_AGENTS}" CHECK (${IS_KNOWN}) NOT VALID`,
    );
    await queryRunner.query(`ALTER TABLE "agents" VALIDATE CONSTRAINT "${CHECK_OF_AGENTS}"`);
    await allowCauses(queryRunner, `'api', 'publish'`);
    await buildIndex(
      queryRunner,
      'agents_deploying_idx',
      `"agents" ("workspace_id") WHERE gated AND deployment_status = 'deploying' AND deleted_at IS NULL`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX IF EXISTS "agents_deploying_idx"`);
    await queryRunner.query(`DELETE FROM "rehearsal_runs" WHERE cause = 'publish'`);
    await allowCauses(queryRunner, `'api'`);
    await queryRunner.query(
      `ALTER TABLE "agents" DROP COLUMN IF EXISTS "deployment_run_id", DROP COLUMN IF EXISTS "deployment_by",
       DROP COLUMN IF EXISTS "previous_version",
       DROP COLUMN IF EXISTS "active_type", DROP COLUMN IF EXISTS "active_version", DROP COLUMN IF EXISTS "gated",
       DROP COLUMN IF EXISTS "publish"`,
    );
    await queryRunner.query(`ALTER TABLE "workspaces" DROP COLUMN IF EXISTS "publish"`);
  }
}
