import type { MigrationInterface, QueryRunner } from 'typeorm';

const SUMS = ['connected', 'failed', 'seconds', 'credits'];

const LENGTH = 100;

const IS_LONG = `dimension = 'outcome' AND length(value) > ${LENGTH}`;

/** SQL: the long outcomes, and the ids and values of their beginnings. */
const CUT = `(
  SELECT id, workspace_id, cut AS value, encode(substring(sha256(convert_to(
           workspace_id::text || 'outcome:' || cut, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid AS cut_id
  FROM (SELECT *, left(value, ${LENGTH}) AS cut FROM call_values WHERE ${IS_LONG}) AS long) AS cut_outcome`;

/** Calls are counted by the beginnings of outcomes, so the sums of long outcomes become those of their beginnings. */
export class CountedOutcomes1795710000000 implements MigrationInterface {
  name = 'CountedOutcomes1795710000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // As a correction does, so that no step of the roll-up that counts by whole outcomes is completed.
    await queryRunner.query(`
      UPDATE call_rollup_states SET revision = revision + 1
      WHERE workspace_id IN (SELECT workspace_id FROM call_values WHERE ${IS_LONG})`);
    await queryRunner.query(`
      INSERT INTO call_values (id, workspace_id, dimension, value)
      SELECT DISTINCT cut_id, workspace_id, 'outcome', value FROM ${CUT}
      ON CONFLICT (id) DO NOTHING`);
    for (const table of ['call_value_rollups', 'call_value_corrections']) {
      await queryRunner.query(`
        INSERT INTO ${table} (value_id, starts_at, ${SUMS.join(', ')})
        SELECT cut_id, starts_at, ${SUMS.map((column) => `sum(${column})`).join(', ')}
        FROM ${CUT} JOIN ${table} ON value_id = id GROUP BY 1, 2
        ON CONFLICT (value_id, starts_at) DO UPDATE
        SET ${SUMS.map((column) => `${column} = ${table}.${column} + EXCLUDED.${column}`).join(', ')}`);
    }
    await queryRunner.query(`DELETE FROM call_values WHERE id IN (SELECT id FROM ${CUT})`);
  }

  /** `rollups rebuild` of the older server counts by whole outcomes again. */
  public async down(): Promise<void> {}
}
