import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceCheck } from '../replace-check';

const allowReasons = (runner: QueryRunner, reasons: string) =>
  replaceCheck(runner, 'campaign_recipients', 'campaign_recipients_skipped_known', `skipped IN (${reasons})`);

export class SkippedDestinations1795846000000 implements MigrationInterface {
  name = 'SkippedDestinations1795846000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await allowReasons(
      queryRunner,
      `'do_not_call', 'invalid_destination', 'removed', 'expired', 'cancelled'`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE "campaign_recipients" SET skipped = 'removed' WHERE skipped = 'invalid_destination'`,
    );
    await allowReasons(queryRunner, `'do_not_call', 'removed', 'expired', 'cancelled'`);
  }
}
