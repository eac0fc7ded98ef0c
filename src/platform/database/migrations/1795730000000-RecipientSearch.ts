import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RecipientSearch1795730000000 implements MigrationInterface {
  name = 'RecipientSearch1795730000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "recipient_search_blocks" ("campaign_id" uuid NOT NULL, "block" integer NOT NULL,
         "numbers" text NOT NULL, "names" text NOT NULL,
         CONSTRAINT "recipient_search_blocks_pkey" PRIMARY KEY ("campaign_id", "block"))`,
    );
    await queryRunner.query(
      `ALTER TABLE "recipient_search_blocks" ADD CONSTRAINT "recipient_search_blocks_campaign_id_fkey"
         FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "recipient_search_blocks"`);
  }
}
