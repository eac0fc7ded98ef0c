import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OrderedRecipientSearch1795760000000 implements MigrationInterface {
  name = 'OrderedRecipientSearch1795760000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "recipient_search_blocks" ADD "irregular" text`);
    // Compressed blocks would take several times the time. Above 2 kB, Postgres compresses rows until they are this small.
    await queryRunner.query(`ALTER TABLE "recipient_search_blocks" SET (toast_tuple_target = 8160)`);
    const searchable = (await queryRunner.query(
      `SELECT DISTINCT "campaign_id" FROM "recipient_search_blocks"`,
    )) as { campaign_id: string }[];
    await queryRunner.query(`DELETE FROM "recipient_search_blocks"`);
    await queryRunner.query(
      `INSERT INTO "recipient_search_blocks" ("campaign_id", "block", "numbers", "names", "irregular")
       SELECT "campaign_id", "place" / 128, string_agg("number", chr(30)), string_agg("name", chr(30)),
         COALESCE(string_agg("number" || chr(29) || "name", chr(30))
           FILTER (WHERE "number" ~ '(...).*\\1' OR "name" ~ '(...).*\\1' OR "name" ~ '[0-9+]'), '')
       FROM (
         SELECT "campaign_id", "phone_number" AS "number", lower(translate("customer_name", chr(29) || chr(30), '  ')) AS "name",
           row_number() OVER (PARTITION BY "campaign_id" ORDER BY "phone_number" COLLATE "C") - 1 AS "place"
         FROM "campaign_recipients" WHERE "campaign_id" = ANY ($1) AND "phone_number" LIKE '+%'
       ) AS "placed"
       GROUP BY "campaign_id", "place" / 128`,
      [searchable.map(({ campaign_id }) => campaign_id)],
    );
    await queryRunner.query(`ALTER TABLE "recipient_search_blocks" ALTER COLUMN "irregular" SET NOT NULL`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    // The blocks of the previous version are in another order, and it reads campaigns without blocks too.
    await queryRunner.query(`DELETE FROM "recipient_search_blocks"`);
    await queryRunner.query(`ALTER TABLE "recipient_search_blocks" RESET (toast_tuple_target)`);
    await queryRunner.query(`ALTER TABLE "recipient_search_blocks" DROP COLUMN "irregular"`);
  }
}
