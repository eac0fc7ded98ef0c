import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallRecords1795400000000 implements MigrationInterface {
  name = 'CallRecords1795400000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "call_events" (
                "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
                "conversation_id" uuid NOT NULL,
                "kind" text NOT NULL,
                "data" jsonb NOT NULL DEFAULT '{}',
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "call_events_kind_known" CHECK (kind = ANY ('{published,cancelled,corrected}')),
                CONSTRAINT "call_events_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "call_events_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "call_events_conversation_id_idx" ON "call_events" ("conversation_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "call_recordings" (
                "conversation_id" uuid NOT NULL,
                "url" text NOT NULL,
                "duration_sec" double precision,
                "reported_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "call_recordings_pkey" PRIMARY KEY ("conversation_id"),
                CONSTRAINT "call_recordings_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "call_analyses" (
                "conversation_id" uuid NOT NULL,
                "fields" jsonb NOT NULL,
                "opt_out" boolean NOT NULL DEFAULT false,
                "reported_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "call_analyses_pkey" PRIMARY KEY ("conversation_id"),
                CONSTRAINT "call_analyses_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "call_transcripts" (
                "conversation_id" uuid NOT NULL,
                "turns" integer NOT NULL DEFAULT '0',
                "truncated" boolean NOT NULL DEFAULT false,
                CONSTRAINT "call_transcripts_pkey" PRIMARY KEY ("conversation_id"),
                CONSTRAINT "call_transcripts_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "transcript_turns" (
                "conversation_id" uuid NOT NULL,
                "sequence" integer NOT NULL,
                "speaker" text NOT NULL,
                "text" text NOT NULL,
                "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "ended_at" TIMESTAMP(3) WITH TIME ZONE,
                "tool" jsonb,
                CONSTRAINT "transcript_turns_speaker_known" CHECK (speaker = ANY ('{agent,user,tool,system}')),
                CONSTRAINT "transcript_turns_pkey" PRIMARY KEY ("conversation_id", "sequence"),
                CONSTRAINT "transcript_turns_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "call_transcripts"("conversation_id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`ALTER TABLE "conversations" ADD "transcript_turns" integer`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversations" DROP COLUMN "transcript_turns"`);
    for (const table of [
      'transcript_turns',
      'call_transcripts',
      'call_analyses',
      'call_recordings',
      'call_events',
    ]) {
      await queryRunner.query(`DROP TABLE "${table}"`);
    }
  }
}
