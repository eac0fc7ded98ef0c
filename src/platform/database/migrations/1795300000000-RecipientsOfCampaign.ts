import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The foreign key looked the campaign up for each recipient, which took longer than storing it. Only the transaction
 * that inserts a campaign inserts recipients of it, and the trigger deletes them with it, as the key did.
 */
export class RecipientsOfCampaign1795300000000 implements MigrationInterface {
  name = 'RecipientsOfCampaign1795300000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "campaign_recipients" DROP CONSTRAINT "campaign_recipients_campaign_id_fkey"`,
    );
    await queryRunner.query(`
      CREATE FUNCTION delete_recipients_of_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM campaign_recipients WHERE campaign_id = OLD.id;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER campaigns_delete_recipients AFTER DELETE ON "campaigns"
      FOR EACH ROW EXECUTE FUNCTION delete_recipients_of_campaign()`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER campaigns_delete_recipients ON "campaigns"`);
    await queryRunner.query(`DROP FUNCTION delete_recipients_of_campaign()`);
    await queryRunner.query(
      `ALTER TABLE "campaign_recipients" ADD CONSTRAINT "campaign_recipients_campaign_id_fkey"
       FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }
}
