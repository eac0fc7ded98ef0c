import type { MigrationInterface, QueryRunner } from 'typeorm';

const kindsKnown = (kinds: string, validity = '') =>
  `ALTER TABLE "call_events" DROP CONSTRAINT "call_events_kind_known",
   ADD CONSTRAINT "call_events_kind_known" CHECK (kind = ANY ('{${kinds}}')) ${validity}`;

/** The last release leaves events of a kind that it does not know out of a timeline. */
export class Transfers1795843000000 implements MigrationInterface {
  name = 'Transfers1795843000000';
  transaction = false;

  /** Each statement can be repeated, and the rows are read without the lock of the change. */
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(kindsKnown('published,cancelled,corrected,transfer_allowed', 'NOT VALID'));
    await queryRunner.query(`ALTER TABLE "call_events" VALIDATE CONSTRAINT "call_events_kind_known"`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "call_events" WHERE kind = 'transfer_allowed'`);
    await queryRunner.query(kindsKnown('published,cancelled,corrected'));
  }
}
