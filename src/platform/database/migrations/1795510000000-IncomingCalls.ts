import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IncomingCalls1795510000000 implements MigrationInterface {
  name = 'IncomingCalls1795510000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversations" ADD "incoming_claim_id" uuid`);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "conversations_incoming_claim" ON "conversations" ("incoming_claim_id")
            WHERE incoming_claim_id IS NOT NULL
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "conversations_incoming_claim"`);
    await queryRunner.query(`ALTER TABLE "conversations" DROP COLUMN "incoming_claim_id"`);
  }
}
