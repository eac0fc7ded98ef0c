import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceCheck } from '../replace-check';

const allowKinds = (runner: QueryRunner, kinds: string) =>
  replaceCheck(runner, 'call_events', 'call_events_kind_known', `kind = ANY ('{${kinds}}')`);

/** The last release leaves events of a kind that it does not know out of a timeline. */
export class Transfers1795843000000 implements MigrationInterface {
  name = 'Transfers1795843000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await allowKinds(queryRunner, 'published,cancelled,corrected,transfer_allowed');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "call_events" WHERE kind = 'transfer_allowed'`);
    await allowKinds(queryRunner, 'published,cancelled,corrected');
  }
}
