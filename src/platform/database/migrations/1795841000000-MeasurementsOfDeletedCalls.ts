import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A deleted call leaves the sums by a trigger, because the last release deletes calls too, and knows no sums. It only
 * updates: when a workspace is deleted, the sums may be gone already.
 */
export class MeasurementsOfDeletedCalls1795841000000 implements MigrationInterface {
  name = 'MeasurementsOfDeletedCalls1795841000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE FUNCTION subtract_measurements_of_deleted_calls() RETURNS trigger LANGUAGE plpgsql
            -- The planner does not know the number of changes, and must not read all sums for some of them.
            SET enable_hashjoin = off SET enable_mergejoin = off AS $$
            BEGIN
                -- All who change the sums lock them in this order. The next statement then sees them as they are.
                PERFORM FROM measurement_rollups AS rollup
                JOIN (
                    SELECT DISTINCT workspace_id, starts_at, agent_id, agent_version, campaign_id, measure
                    FROM deleted, jsonb_object_keys(amounts) AS measure
                ) AS change USING (workspace_id, starts_at, agent_id, agent_version, campaign_id, measure)
                ORDER BY workspace_id, starts_at, agent_id, agent_version, campaign_id, measure COLLATE "C"
                FOR UPDATE OF rollup;

                WITH change AS MATERIALIZED (
                    SELECT workspace_id, starts_at, agent_id, agent_version, campaign_id, measure,
                           sum(value::bigint)::bigint AS amount
                    FROM deleted, jsonb_each_text(amounts) AS counted (measure, value)
                    GROUP BY workspace_id, starts_at, agent_id, agent_version, campaign_id, measure
                ), emptied AS (
                    DELETE FROM measurement_rollups AS rollup USING change
                    WHERE (rollup.workspace_id, rollup.starts_at, rollup.agent_id, rollup.agent_version,
                           rollup.campaign_id, rollup.measure)
                        = (change.workspace_id, change.starts_at, change.agent_id, change.agent_version,
                           change.campaign_id, change.measure)
                      AND rollup.amount = change.amount
                )
                UPDATE measurement_rollups AS rollup SET amount = rollup.amount - change.amount FROM change
                WHERE (rollup.workspace_id, rollup.starts_at, rollup.agent_id, rollup.agent_version,
                       rollup.campaign_id, rollup.measure)
                    = (change.workspace_id, change.starts_at, change.agent_id, change.agent_version,
                       change.campaign_id, change.measure)
                  AND rollup.amount <> change.amount;
                RETURN NULL;
            END
            $$
        `);
    await queryRunner.query(
      `CREATE TRIGGER "call_measurements_subtract_deleted" AFTER DELETE ON "call_measurements"
       REFERENCING OLD TABLE AS deleted
       FOR EACH STATEMENT EXECUTE FUNCTION subtract_measurements_of_deleted_calls()`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER "call_measurements_subtract_deleted" ON "call_measurements"`);
    await queryRunner.query(`DROP FUNCTION subtract_measurements_of_deleted_calls()`);
  }
}
