import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';

const TOKENS = 'rehearsal_results_tokens_idx';

/** Each statement has a transaction of its own, and can be repeated. */
export class CountsOfRehearsalRuns1795863000000 implements MigrationInterface {
  name = 'CountsOfRehearsalRuns1795863000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" ADD COLUMN IF NOT EXISTS "counted" jsonb`);
    await buildIndex(
      queryRunner,
      TOKENS,
      `"rehearsal_results" ("workspace_id", "ended_at", "tokens") WHERE tokens > 0`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX IF EXISTS "${TOKENS}"`);
    await queryRunner.query(`ALTER TABLE "rehearsal_runs" DROP COLUMN IF EXISTS "counted"`);
  }
}
