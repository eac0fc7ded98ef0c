import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Integrity1795173000000 implements MigrationInterface {
  name = 'Integrity1795173000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // What an agent left behind that was deleted by hand; nothing held it until now.
    await queryRunner.query(`
            UPDATE "phone_numbers" SET agent_id = NULL, type = 'inbound'
            WHERE agent_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM "agents" WHERE agents.id = agent_id AND agents.workspace_id = phone_numbers.workspace_id)
        `);
    await queryRunner.query(`
            DELETE FROM "knowledge_base_assignments"
            WHERE NOT EXISTS (SELECT FROM "agents" WHERE agents.id = agent_id)
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "agents_id_workspace_id_idx" ON "agents" ("id", "workspace_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "conversations"
            DROP CONSTRAINT "conversations_agent_id_fkey",
            DROP CONSTRAINT "conversations_status_known",
            DROP CONSTRAINT "conversations_claimed_once",
            ADD CONSTRAINT "conversations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
            ADD CONSTRAINT "conversations_agent_id_workspace_id_fkey" FOREIGN KEY ("agent_id", "workspace_id") REFERENCES "agents"("id", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION,
            ADD CONSTRAINT "conversations_status_known" CHECK (
                status = ANY ('{queued,accepted,connected,disconnected,failed}')
            ),
            ADD CONSTRAINT "conversations_call_type_known" CHECK (call_type = ANY ('{phonecall,webcall}')),
            ADD CONSTRAINT "conversations_direction_known" CHECK (direction = ANY ('{outbound,inbound}')),
            ADD CONSTRAINT "conversations_disconnect_reason_known" CHECK (
                disconnect_reason = ANY ('{user_hangup,agent_hangup,call_transfer,voicemail_reached,inactivity,max_duration_reached,dial_busy,dial_no_answer,dial_failed,invalid_destination,cancelled,error,dispatch_failed,dispatch_expired,worker_lost}')
            ),
            ADD CONSTRAINT "conversations_disconnected_by_known" CHECK (disconnected_by = ANY ('{user,agent,system}')),
            ADD CONSTRAINT "conversations_claimed_once" CHECK (
                (status = ANY ('{accepted,connected}')) <= (token IS NOT NULL)
            ),
            ADD CONSTRAINT "conversations_over_has_end" CHECK (
                (status = ANY ('{disconnected,failed}')) = (ended_at IS NOT NULL)
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "campaigns"
            DROP CONSTRAINT "campaigns_agent_id_fkey",
            ADD CONSTRAINT "campaigns_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
            ADD CONSTRAINT "campaigns_agent_id_workspace_id_fkey" FOREIGN KEY ("agent_id", "workspace_id") REFERENCES "agents"("id", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "phone_numbers"
            ADD CONSTRAINT "phone_numbers_agent_id_workspace_id_fkey" FOREIGN KEY ("agent_id", "workspace_id") REFERENCES "agents"("id", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "knowledge_base_assignments"
            ADD CONSTRAINT "knowledge_base_assignments_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "knowledge_base_assignments" DROP CONSTRAINT "knowledge_base_assignments_agent_id_fkey"`,
    );
    await queryRunner.query(
      `ALTER TABLE "phone_numbers" DROP CONSTRAINT "phone_numbers_agent_id_workspace_id_fkey"`,
    );
    await queryRunner.query(`
            ALTER TABLE "campaigns"
            DROP CONSTRAINT "campaigns_agent_id_workspace_id_fkey",
            DROP CONSTRAINT "campaigns_workspace_id_fkey",
            ADD CONSTRAINT "campaigns_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "conversations"
            DROP CONSTRAINT "conversations_over_has_end",
            DROP CONSTRAINT "conversations_claimed_once",
            DROP CONSTRAINT "conversations_disconnected_by_known",
            DROP CONSTRAINT "conversations_disconnect_reason_known",
            DROP CONSTRAINT "conversations_direction_known",
            DROP CONSTRAINT "conversations_call_type_known",
            DROP CONSTRAINT "conversations_status_known",
            DROP CONSTRAINT "conversations_agent_id_workspace_id_fkey",
            DROP CONSTRAINT "conversations_workspace_id_fkey",
            ADD CONSTRAINT "conversations_status_known" CHECK (
                status IN ('queued', 'accepted', 'connected', 'disconnected', 'failed')
            ),
            ADD CONSTRAINT "conversations_claimed_once" CHECK (
                (status IN ('accepted', 'connected')) <= (token IS NOT NULL)
            ),
            ADD CONSTRAINT "conversations_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`DROP INDEX "public"."agents_id_workspace_id_idx"`);
  }
}
