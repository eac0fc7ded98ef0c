import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key of the new table locks that of agents. */
export class Rehearsals1795852000000 implements MigrationInterface {
  name = 'Rehearsals1795852000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "rehearsals" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "agent_id" uuid NOT NULL, "name" text NOT NULL, "enabled" boolean NOT NULL, "definition" jsonb NOT NULL, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "rehearsals_pkey" PRIMARY KEY ("id"))`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "rehearsals_agent_id_name_idx" ON "rehearsals" ("agent_id", "name")`,
    );
    await queryRunner.query(
      `ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_agent_id_workspace_id_fkey" FOREIGN KEY ("agent_id", "workspace_id") REFERENCES "agents"("id","workspace_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "rehearsals"`);
  }
}
