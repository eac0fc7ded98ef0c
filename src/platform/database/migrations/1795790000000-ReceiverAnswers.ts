import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReceiverAnswers1795790000000 implements MigrationInterface {
  name = 'ReceiverAnswers1795790000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "webhook_attempts" ADD "answer_headers" jsonb, ADD "answer_body" text`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "webhook_attempts" DROP COLUMN "answer_body", DROP COLUMN "answer_headers"`,
    );
  }
}
