import type { MigrationInterface, QueryRunner } from 'typeorm';

const skippedKnown = (reasons: string, validity = '') =>
  `ALTER TABLE "campaign_recipients" DROP CONSTRAINT "campaign_recipients_skipped_known",
   ADD CONSTRAINT "campaign_recipients_skipped_known" CHECK (skipped = ANY ('{${reasons}}')) ${validity}`;

export class SkippedDestinations1795846000000 implements MigrationInterface {
  name = 'SkippedDestinations1795846000000';
  transaction = false;

  /** Each statement can be repeated, and the rows are read without the lock of the change. */
  public async up(queryRunner: QueryRunner): Promise<void> {
    const reasons = 'do_not_call,invalid_destination,removed,expired,cancelled';
    await queryRunner.query(skippedKnown(reasons, 'NOT VALID'));
    await queryRunner.query(
      `ALTER TABLE "campaign_recipients" VALIDATE CONSTRAINT "campaign_recipients_skipped_known"`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE "campaign_recipients" SET skipped = 'removed' WHERE skipped = 'invalid_destination'`,
    );
    await queryRunner.query(skippedKnown('do_not_call,removed,expired,cancelled'));
  }
}
