import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallMeasurements1795810000000 implements MigrationInterface {
  name = 'CallMeasurements1795810000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "calls_to_measure" ("conversation_id" uuid NOT NULL, "revision" integer NOT NULL DEFAULT '1', "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "calls_to_measure_pkey" PRIMARY KEY ("conversation_id"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "calls_to_measure_created_at_idx" ON "calls_to_measure" ("created_at")`,
    );
    await queryRunner.query(
      `CREATE TABLE "call_measurements" ("conversation_id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "agent_id" uuid NOT NULL, "agent_version" integer NOT NULL, "campaign_id" uuid NOT NULL, "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "amounts" jsonb NOT NULL, CONSTRAINT "call_measurements_pkey" PRIMARY KEY ("conversation_id"))`,
    );
    await queryRunner.query(
      `CREATE TABLE "measurement_rollups" ("workspace_id" uuid NOT NULL, "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "agent_id" uuid NOT NULL, "agent_version" integer NOT NULL, "campaign_id" uuid NOT NULL, "measure" text NOT NULL, "amount" bigint NOT NULL, CONSTRAINT "measurement_rollups_pkey" PRIMARY KEY ("workspace_id", "starts_at", "agent_id", "agent_version", "campaign_id", "measure"))`,
    );
    await queryRunner.query(
      `ALTER TABLE "calls_to_measure" ADD CONSTRAINT "calls_to_measure_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "call_measurements" ADD CONSTRAINT "call_measurements_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "measurement_rollups"`);
    await queryRunner.query(`DROP TABLE "call_measurements"`);
    await queryRunner.query(`DROP TABLE "calls_to_measure"`);
  }
}
