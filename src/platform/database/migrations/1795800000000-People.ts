import type { MigrationInterface, QueryRunner } from 'typeorm';

export class People1795800000000 implements MigrationInterface {
  name = 'People1795800000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "people" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "name" text NOT NULL,
                "email" text,
                "role" text NOT NULL,
                "issuer" text,
                "subject" text,
                "joined_at" TIMESTAMP(3) WITH TIME ZONE,
                "last_used_at" TIMESTAMP(3) WITH TIME ZONE,
                "invited_by" jsonb,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "people_identity_complete" CHECK ((issuer IS NULL) = (subject IS NULL)),
                CONSTRAINT "people_role_known" CHECK (role = ANY ('{admin,operator,viewer}')),
                CONSTRAINT "people_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "people_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "people_id_workspace_id_idx" ON "people" ("id", "workspace_id")`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "people_workspace_id_issuer_subject_idx" ON "people" ("workspace_id", "issuer", "subject")`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "people_workspace_id_email_idx" ON "people" ("workspace_id", "email")`,
    );
    await queryRunner.query(`CREATE INDEX "people_issuer_subject_idx" ON "people" ("issuer", "subject")`);
    await queryRunner.query(`CREATE INDEX "people_email_idx" ON "people" ("email")`);
    await queryRunner.query(`
            CREATE TABLE "removed_identities" (
                "workspace_id" uuid NOT NULL,
                "issuer" text NOT NULL,
                "subject" text NOT NULL,
                "removed_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "removed_identities_pkey" PRIMARY KEY ("workspace_id", "issuer", "subject"),
                CONSTRAINT "removed_identities_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE
            )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "removed_identities"`);
    await queryRunner.query(`DROP TABLE "people"`);
  }
}
