import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyKeys1795168000000 implements MigrationInterface {
  name = 'IdempotencyKeys1795168000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "idempotency_keys" (
                "workspace_id" uuid NOT NULL,
                "endpoint" text NOT NULL,
                "key" text NOT NULL,
                "fingerprint" bytea NOT NULL,
                "owner" uuid NOT NULL,
                "locked_until" TIMESTAMP(3) WITH TIME ZONE,
                "answer" json,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "idempotency_keys_answered_or_locked" CHECK (
                    answer IS NOT NULL
                    OR locked_until IS NOT NULL
                ),
                CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("workspace_id", "endpoint", "key")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" ("created_at")
        `);
    await queryRunner.query(`
            ALTER TABLE "idempotency_keys"
            ADD CONSTRAINT "idempotency_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "idempotency_keys"`);
  }
}
