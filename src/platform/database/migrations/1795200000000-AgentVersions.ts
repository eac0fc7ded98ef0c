import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was stored with each call until now; the later code may have another one. */
const AGENT_SNAPSHOT = `
  agents.config - '{description,image,features,popularity,templateCategory,industry,recommendedActions,stats}'::text[]
    || jsonb_build_object('name', agents.name, 'type', agents.type, 'knowledgeBases', COALESCE(
         (SELECT jsonb_agg(knowledge_base_id ORDER BY position)
          FROM knowledge_base_assignments WHERE agent_id = agents.id), '[]'))`;

export class AgentVersions1795200000000 implements MigrationInterface {
  name = 'AgentVersions1795200000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "agent_versions" (
                "agent_id" uuid NOT NULL,
                "version" integer NOT NULL,
                "workspace_id" uuid NOT NULL,
                "snapshot" jsonb NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "agent_versions_pkey" PRIMARY KEY ("agent_id", "version", "workspace_id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "agent_versions"
            ADD CONSTRAINT "agent_versions_agent_id_workspace_id_fkey" FOREIGN KEY ("agent_id", "workspace_id") REFERENCES "agents"("id", "workspace_id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    // Clients can set larger ones no more. Otherwise an agent could have no further version.
    await queryRunner.query(
      `UPDATE "agents" SET deployment_version = 1000000000 WHERE deployment_version > 1000000000`,
    );
    await queryRunner.query(`
            INSERT INTO "agent_versions" (agent_id, version, workspace_id, snapshot)
            SELECT id, deployment_version, workspace_id, ${AGENT_SNAPSHOT} FROM "agents"
        `);
    // Calls that may still be published need their version at once. The server moves the others, in batches.
    await queryRunner.query(`
            INSERT INTO "agent_versions" (agent_id, version, workspace_id, snapshot)
            SELECT agent_id, agent_version, workspace_id, agent_snapshot FROM "conversations" WHERE status = 'queued'
            ON CONFLICT DO NOTHING
        `);
    await queryRunner.query(`
            ALTER TABLE "conversations"
            ALTER COLUMN "agent_snapshot" DROP NOT NULL,
            DROP CONSTRAINT "conversations_agent_id_workspace_id_fkey",
            ADD CONSTRAINT "conversations_agent_id_agent_version_workspace_id_fkey" FOREIGN KEY ("agent_id", "agent_version", "workspace_id") REFERENCES "agent_versions"("agent_id", "version", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID
        `);
    const [{ is_empty: isEmpty }] = (await queryRunner.query(
      `SELECT NOT EXISTS (SELECT FROM "conversations") AS is_empty`,
    )) as [{ is_empty: boolean }];
    if (isEmpty) {
      await queryRunner.query(
        `ALTER TABLE "conversations" VALIDATE CONSTRAINT "conversations_agent_id_agent_version_workspace_id_fkey"`,
      );
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            UPDATE "conversations" SET agent_snapshot = snapshot FROM "agent_versions"
            WHERE agent_versions.agent_id = conversations.agent_id AND version = agent_version AND agent_snapshot IS NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "conversations"
            DROP CONSTRAINT "conversations_agent_id_agent_version_workspace_id_fkey",
            ADD CONSTRAINT "conversations_agent_id_workspace_id_fkey" FOREIGN KEY ("agent_id", "workspace_id") REFERENCES "agents"("id", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION,
            ALTER COLUMN "agent_snapshot" SET NOT NULL
        `);
    await queryRunner.query(`DROP TABLE "agent_versions"`);
  }
}
