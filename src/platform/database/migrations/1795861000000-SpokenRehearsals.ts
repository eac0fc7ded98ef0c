import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceCheck } from '../replace-check';

const allowModes = (runner: QueryRunner, modes: string) =>
  replaceCheck(runner, 'rehearsal_runs', 'rehearsal_runs_mode_known', `mode IN (${modes})`);

export class SpokenRehearsals1795861000000 implements MigrationInterface {
  name = 'SpokenRehearsals1795861000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await allowModes(queryRunner, `'text', 'audio'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "rehearsal_runs" WHERE mode = 'audio'`);
    await allowModes(queryRunner, `'text'`);
  }
}
