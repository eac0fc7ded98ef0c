import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallWarnings1795770000100 implements MigrationInterface {
  name = 'CallWarnings1795770000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "call_warnings" ("conversation_id" uuid NOT NULL, "warnings" jsonb NOT NULL, CONSTRAINT "call_warnings_limited" CHECK (jsonb_array_length(warnings) <= 20), CONSTRAINT "call_warnings_pkey" PRIMARY KEY ("conversation_id"))`,
    );
    await queryRunner.query(
      `ALTER TABLE "call_warnings" ADD CONSTRAINT "call_warnings_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "call_warnings"`);
  }
}
