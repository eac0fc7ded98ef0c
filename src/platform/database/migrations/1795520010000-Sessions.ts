import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1795520010000 implements MigrationInterface {
  name = 'Sessions1795520010000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "api_keys"
            ADD "name" text,
            ADD "last_used_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            CREATE TABLE "sessions" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "hash" bytea NOT NULL,
                "credential_kind" text NOT NULL,
                "key_id" uuid,
                "user_id" text NOT NULL,
                "scopes" text array,
                "issued_at" TIMESTAMP(3) WITH TIME ZONE,
                "last_used_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "sessions_credential_known" CHECK (credential_kind = ANY ('{api-key,token,link}')),
                CONSTRAINT "sessions_of_keys" CHECK (credential_kind <> 'api-key' OR key_id IS NOT NULL),
                CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "sessions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE,
                CONSTRAINT "sessions_key_id_workspace_id_fkey" FOREIGN KEY ("key_id", "workspace_id") REFERENCES "api_keys"("id", "workspace_id")
            )
        `);
    await queryRunner.query(`CREATE INDEX "sessions_workspace_id_idx" ON "sessions" ("workspace_id")`);
    await queryRunner.query(`CREATE INDEX "sessions_key_id_idx" ON "sessions" ("key_id")`);
    await queryRunner.query(`CREATE UNIQUE INDEX "sessions_hash_idx" ON "sessions" ("hash")`);
    await queryRunner.query(`
            CREATE TABLE "console_links" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "user_id" text NOT NULL,
                "hash" bytea NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "console_links_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "console_links_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(
      `CREATE INDEX "console_links_workspace_id_idx" ON "console_links" ("workspace_id")`,
    );
    await queryRunner.query(`CREATE UNIQUE INDEX "console_links_hash_idx" ON "console_links" ("hash")`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "console_links"`);
    await queryRunner.query(`DROP TABLE "sessions"`);
    await queryRunner.query(`ALTER TABLE "api_keys" DROP COLUMN "last_used_at", DROP COLUMN "name"`);
  }
}
