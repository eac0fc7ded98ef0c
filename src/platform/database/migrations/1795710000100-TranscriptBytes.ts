import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TranscriptBytes1795710000100 implements MigrationInterface {
  name = 'TranscriptBytes1795710000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "call_transcripts" ADD "bytes" integer NOT NULL DEFAULT 0`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "call_transcripts" DROP COLUMN "bytes"`);
  }
}
