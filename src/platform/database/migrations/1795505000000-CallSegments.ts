import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables are empty at first: the server fills them while it runs. */
export class CallSegments1795505000000 implements MigrationInterface {
  name = 'CallSegments1795505000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "call_rollup_states" ADD "segmented_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT '-infinity'
        `);
    await queryRunner.query(`
            CREATE TABLE "call_segments" (
                "workspace_id" uuid NOT NULL,
                "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "call_segments_pkey" PRIMARY KEY ("workspace_id", "starts_at"),
                CONSTRAINT "call_segments_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "call_rollup_states"("workspace_id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "call_values" (
                "id" uuid NOT NULL,
                "workspace_id" uuid NOT NULL,
                "dimension" text NOT NULL,
                "value" text NOT NULL,
                CONSTRAINT "call_values_pkey" PRIMARY KEY ("id"),
                CONSTRAINT "call_values_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "call_rollup_states"("workspace_id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "call_values_workspace_id_dimension_idx" ON "call_values" ("workspace_id", "dimension")
        `);
    await queryRunner.query(`
            CREATE TABLE "call_value_rollups" (
                "value_id" uuid NOT NULL,
                "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "connected" integer NOT NULL,
                "failed" integer NOT NULL,
                "seconds" bigint NOT NULL,
                "credits" bigint NOT NULL,
                CONSTRAINT "call_value_rollups_pkey" PRIMARY KEY ("value_id", "starts_at"),
                CONSTRAINT "call_value_rollups_value_id_fkey" FOREIGN KEY ("value_id") REFERENCES "call_values"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "call_value_corrections" (
                "value_id" uuid NOT NULL,
                "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "connected" integer NOT NULL,
                "failed" integer NOT NULL,
                "seconds" bigint NOT NULL,
                "credits" bigint NOT NULL,
                CONSTRAINT "call_value_corrections_pkey" PRIMARY KEY ("value_id", "starts_at"),
                CONSTRAINT "call_value_corrections_value_id_fkey" FOREIGN KEY ("value_id") REFERENCES "call_values"("id") ON DELETE CASCADE
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_ended_to_number" ON "conversations" ("workspace_id", "right"("to_number", 4))
            WHERE ended_at IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_ended_from_number" ON "conversations" ("workspace_id", "right"("from_number", 4))
            WHERE ended_at IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "conversations_ended_external_id" ON "conversations" (
                hashtextextended("request"->>'external_id', 0)
            ) WHERE ended_at IS NOT NULL AND request->>'external_id' <> ''
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "public"."conversations_ended_external_id"`);
    await queryRunner.query(`DROP INDEX "public"."conversations_ended_from_number"`);
    await queryRunner.query(`DROP INDEX "public"."conversations_ended_to_number"`);
    await queryRunner.query(`DROP TABLE "call_value_corrections"`);
    await queryRunner.query(`DROP TABLE "call_value_rollups"`);
    await queryRunner.query(`DROP TABLE "call_values"`);
    await queryRunner.query(`DROP TABLE "call_segments"`);
    await queryRunner.query(`ALTER TABLE "call_rollup_states" DROP COLUMN "segmented_until"`);
  }
}
