import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Empties the segments: the server counts them again while it runs, with the lines and the durations of their calls. */
export class LinesAndDurations1795610000000 implements MigrationInterface {
  name = 'LinesAndDurations1795610000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await emptySegments(queryRunner);
    await queryRunner.query(`
            CREATE TABLE "call_segment_durations" (
                "workspace_id" uuid NOT NULL,
                "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "connected" integer array NOT NULL,
                "failed" integer array NOT NULL,
                CONSTRAINT "call_segment_durations_pkey" PRIMARY KEY ("workspace_id", "starts_at"),
                CONSTRAINT "call_segment_durations_workspace_id_starts_at_fkey" FOREIGN KEY ("workspace_id", "starts_at") REFERENCES "call_segments"("workspace_id", "starts_at") ON DELETE CASCADE
            ) WITH (toast_tuple_target = 8160)
        `);
    await queryRunner.query(`
            ALTER TABLE "call_segment_durations"
            ALTER "connected" SET STORAGE EXTERNAL, ALTER "failed" SET STORAGE EXTERNAL
        `);
    await queryRunner.query(`
            CREATE TABLE "call_duration_corrections" (
                "workspace_id" uuid NOT NULL,
                "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "duration_sec" integer NOT NULL,
                "connected" integer NOT NULL,
                "failed" integer NOT NULL,
                CONSTRAINT "call_duration_corrections_pkey" PRIMARY KEY ("workspace_id", "starts_at", "duration_sec"),
                CONSTRAINT "call_duration_corrections_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "call_rollup_states"("workspace_id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`DROP INDEX "public"."conversations_ended_from_number"`);
    await queryRunner.query(`DROP INDEX "public"."conversations_ended_to_number"`);
    await queryRunner.query(`
            CREATE INDEX "conversations_ended_person" ON "conversations" (
                "workspace_id", "right"(CASE WHEN incoming_claim_id IS NULL THEN to_number ELSE from_number END, 4)
            ) WHERE ended_at IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_ended_line" ON "conversations" (
                "workspace_id", "right"(CASE WHEN incoming_claim_id IS NULL THEN from_number ELSE to_number END, 4)
            ) WHERE ended_at IS NOT NULL
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."conversations_ended_line"`);
    await queryRunner.query(`DROP INDEX "public"."conversations_ended_person"`);
    await queryRunner.query(`
            CREATE INDEX "conversations_ended_to_number" ON "conversations" ("workspace_id", "right"("to_number", 4))
            WHERE ended_at IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_ended_from_number" ON "conversations" ("workspace_id", "right"("from_number", 4))
            WHERE ended_at IS NOT NULL
        `);
    await queryRunner.query(`DROP TABLE "call_duration_corrections"`);
    await queryRunner.query(`DROP TABLE "call_segment_durations"`);
    await emptySegments(queryRunner);
  }
}

async function emptySegments(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`TRUNCATE call_value_rollups, call_value_corrections, call_values, call_segments`);
  await queryRunner.query(
    `UPDATE call_rollup_states SET segmented_until = '-infinity', revision = revision + 1`,
  );
}
