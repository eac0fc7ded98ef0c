import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Choices of pages of the console that people of a workspace share. */
export class SavedViews1795864100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "saved_views" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "page" text NOT NULL, "name" text NOT NULL, "query" text NOT NULL, "period" text, "updated_by" jsonb NOT NULL, "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "saved_views_page_name" UNIQUE ("workspace_id", "page", "name"), CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id"))`,
    );
    await queryRunner.query(
      `ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "saved_views"`);
  }
}
