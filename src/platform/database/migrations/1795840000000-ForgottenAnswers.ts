import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An erasure empties the data of a delivery. A trigger then forgets the receiver's answers, which may repeat the data,
 * also if the last release erases, which knows no answers.
 */
export class ForgottenAnswers1795840000000 implements MigrationInterface {
  name = 'ForgottenAnswers1795840000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE FUNCTION forget_answers_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                UPDATE webhook_attempts SET answer_headers = NULL, answer_body = NULL WHERE delivery_id = NEW.id;
                RETURN NULL;
            END
            $$
        `);
    await queryRunner.query(
      `CREATE TRIGGER "webhook_deliveries_forget_answers" AFTER UPDATE OF "data" ON "webhook_deliveries"
       FOR EACH ROW WHEN (OLD.data IS DISTINCT FROM NEW.data) EXECUTE FUNCTION forget_answers_of_delivery()`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER "webhook_deliveries_forget_answers" ON "webhook_deliveries"`);
    await queryRunner.query(`DROP FUNCTION forget_answers_of_delivery()`);
  }
}
