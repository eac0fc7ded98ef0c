import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Campaigns count whom they reached apart from voicemails and silence, and the outcomes of those who will be called again.
 * What became of a call that was deleted is not known: its recipient counts as reached.
 */
export class ContactResults1795740000000 implements MigrationInterface {
  name = 'ContactResults1795740000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "campaigns" ADD "retrying_outcomes" jsonb NOT NULL DEFAULT '{}',
         ADD "count_voicemail" integer NOT NULL DEFAULT 0, ADD "count_inactivity" integer NOT NULL DEFAULT 0`,
    );
    await queryRunner.query(
      `UPDATE campaigns SET count_voicemail = counted.voicemail, count_inactivity = counted.inactivity
       FROM (
         SELECT recipient.campaign_id, count(*) FILTER (WHERE disconnect_reason = 'voicemail_reached')::int AS voicemail,
                count(*) FILTER (WHERE disconnect_reason = 'inactivity')::int AS inactivity
         FROM campaign_recipients AS recipient JOIN conversations AS call ON call.id = recipient.conversation_id
         WHERE recipient.status = 'disconnected' AND disconnect_reason IN ('voicemail_reached', 'inactivity')
         GROUP BY recipient.campaign_id
       ) AS counted
       WHERE campaigns.id = counted.campaign_id`,
    );
    await queryRunner.query(
      `UPDATE campaigns SET retrying_outcomes = counted.outcomes
       FROM (
         SELECT campaign_id, jsonb_object_agg(name, count) AS outcomes
         FROM (
           SELECT campaign_id, CASE WHEN place <= 50 THEN outcome ELSE 'other' END AS name, sum(count)::int AS count
           FROM (
             SELECT recipient.campaign_id, COALESCE(NULLIF(left(call.outcome, 100), ''), call.disconnect_reason, 'other') AS outcome,
                    count(*) AS count, row_number() OVER (PARTITION BY recipient.campaign_id ORDER BY count(*) DESC) AS place
             FROM campaign_recipients AS recipient LEFT JOIN conversations AS call ON call.id = recipient.conversation_id
             WHERE recipient.status = 'retrying' GROUP BY 1, 2
           ) AS of_outcome GROUP BY 1, 2
         ) AS named GROUP BY campaign_id
       ) AS counted
       WHERE campaigns.id = counted.campaign_id`,
    );
    await queryRunner.query(
      `ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_results_add_up" CHECK (count_voicemail + count_inactivity <= count_disconnected)`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "campaigns" DROP CONSTRAINT "campaigns_results_add_up"`);
    await queryRunner.query(
      `ALTER TABLE "campaigns" DROP COLUMN "count_inactivity", DROP COLUMN "count_voicemail", DROP COLUMN "retrying_outcomes"`,
    );
  }
}
