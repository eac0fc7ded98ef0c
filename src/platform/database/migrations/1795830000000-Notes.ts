import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Notes1795830000000 implements MigrationInterface {
  name = 'Notes1795830000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "notes" ("workspace_id" uuid NOT NULL, "phone_number" text NOT NULL, "text" text NOT NULL, "updated_by" jsonb NOT NULL, "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "notes_not_empty" CHECK (text <> ''), CONSTRAINT "notes_pkey" PRIMARY KEY ("workspace_id", "phone_number"))`,
    );
    await queryRunner.query(
      `ALTER TABLE "notes" ADD CONSTRAINT "notes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "notes"`);
  }
}
