import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReplicaTimestamps1795780000000 implements MigrationInterface {
  name = 'ReplicaTimestamps1795780000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "replica_timestamps" ("id" smallint NOT NULL DEFAULT '1', "written_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "replica_timestamps_one_row" CHECK (id = 1), CONSTRAINT "replica_timestamps_pkey" PRIMARY KEY ("id"))`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "replica_timestamps"`);
  }
}
