import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Workers1795510020000 implements MigrationInterface {
  name = 'Workers1795510020000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "workers" (
                "id" text NOT NULL,
                "name" text NOT NULL,
                "version" text NOT NULL,
                "capacity" integer NOT NULL,
                "calls" integer NOT NULL,
                "last_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
            )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "workers"`);
  }
}
