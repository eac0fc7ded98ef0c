import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of both new tables lock that of calls, and no other table. */
export class Findings1795851000300 implements MigrationInterface {
  name = 'Findings1795851000300';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "due_findings" ("conversation_id" uuid NOT NULL, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "due_findings_pkey" PRIMARY KEY ("conversation_id"))`,
    );
    await queryRunner.query(`CREATE INDEX "due_findings_due_at_idx" ON "due_findings" ("due_at")`);
    await queryRunner.query(
      `CREATE TABLE "call_findings" ("conversation_id" uuid NOT NULL, "fields" jsonb NOT NULL, "criteria" jsonb NOT NULL, "answers" jsonb NOT NULL, "found_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "call_findings_pkey" PRIMARY KEY ("conversation_id"))`,
    );
    await queryRunner.query(
      `ALTER TABLE "due_findings" ADD CONSTRAINT "due_findings_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "call_findings" ADD CONSTRAINT "call_findings_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "call_findings"`);
    await queryRunner.query(`DROP TABLE "due_findings"`);
  }
}
