import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key to the workspaces locks them, so that the other tables have migrations of their own. */
export class Tools1795847000000 implements MigrationInterface {
  name = 'Tools1795847000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "tools" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "name" text NOT NULL, "definition" jsonb NOT NULL, "secrets" jsonb NOT NULL DEFAULT '{}', "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "tools_pkey" PRIMARY KEY ("id"))`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "tools_workspace_id_name_idx" ON "tools" ("workspace_id", "name")`,
    );
    await queryRunner.query(
      `ALTER TABLE "tools" ADD CONSTRAINT "tools_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "tools"`);
  }
}
