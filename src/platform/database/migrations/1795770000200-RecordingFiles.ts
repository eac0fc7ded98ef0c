import type { MigrationInterface, QueryRunner } from 'typeorm';

const QUOTAS = [
  '(quotas_agents)::bigint',
  'quotas_knowledge_base_bytes',
  'quotas_recording_bytes',
  '(quotas_api_keys)::bigint',
  '(quotas_phone_numbers)::bigint',
  '(quotas_recipients)::bigint',
  '(quotas_concurrent_calls)::bigint',
  '(quotas_requests_per_minute)::bigint',
  '(quotas_credits_per_day)::bigint',
];

export class RecordingFiles1795770000200 implements MigrationInterface {
  name = 'RecordingFiles1795770000200';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "workspaces" ADD "quotas_recording_bytes" bigint`);
    await this.replaceCheck(queryRunner, QUOTAS);
    await queryRunner.query(
      `CREATE TABLE "recording_files" ("key" uuid NOT NULL, "workspace_id" uuid NOT NULL, "conversation_id" uuid, "content_type" text NOT NULL, "bytes" bigint NOT NULL, "uploaded_until" TIMESTAMP(3) WITH TIME ZONE, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "recording_files_conversation_id_key" UNIQUE ("conversation_id"), CONSTRAINT "recording_files_type_known" CHECK (content_type = ANY ('{audio/wav,audio/mpeg}')), CONSTRAINT "recording_files_pkey" PRIMARY KEY ("key"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "recording_files_workspace_id_idx" ON "recording_files" ("workspace_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "recording_files_without_recording" ON "recording_files" ("created_at") WHERE conversation_id IS NULL`,
    );
    await queryRunner.query(
      `ALTER TABLE "recording_files" ADD CONSTRAINT "recording_files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "recording_files" ADD CONSTRAINT "recording_files_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "call_recordings"("conversation_id") ON DELETE SET NULL ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "recording_files"`);
    await this.replaceCheck(
      queryRunner,
      QUOTAS.filter((quota) => !quota.includes('recording_bytes')),
    );
    await queryRunner.query(`ALTER TABLE "workspaces" DROP COLUMN "quotas_recording_bytes"`);
  }

  private async replaceCheck(queryRunner: QueryRunner, quotas: string[]): Promise<void> {
    await queryRunner.query(`ALTER TABLE "workspaces" DROP CONSTRAINT "workspaces_quotas_not_negative"`);
    await queryRunner.query(
      `ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_quotas_not_negative" CHECK (LEAST(${quotas.join(', ')}) >= 0)`,
    );
  }
}
