import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceCheck } from '../replace-check';

const allowModes = (runner: QueryRunner, modes: string) =>
  replaceCheck(runner, 'rehearsal_runs', 'rehearsal_runs_mode_known', `mode IN (${modes})`);

export class JoinedRehearsals1795862000000 implements MigrationInterface {
  name = 'JoinedRehearsals1795862000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "rehearsal_results"
       ADD COLUMN IF NOT EXISTS "joined_at" TIMESTAMP(3) WITH TIME ZONE,
       ADD COLUMN IF NOT EXISTS "tool_uses" jsonb NOT NULL DEFAULT '[]',
       ADD COLUMN IF NOT EXISTS "reported" jsonb`,
    );
    await allowModes(queryRunner, `'text', 'audio', 'joined'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "rehearsal_runs" WHERE mode = 'joined'`);
    await allowModes(queryRunner, `'text', 'audio'`);
    await queryRunner.query(
      `ALTER TABLE "rehearsal_results" DROP COLUMN "joined_at", DROP COLUMN "tool_uses", DROP COLUMN "reported"`,
    );
  }
}
