import type { QueryRunner } from 'typeorm';

/**
 * Replaces a CHECK constraint outside of a transaction. The rows are read without the lock of the change, and each
 * statement can be repeated.
 * @param condition such as `kind = ANY ('{published,cancelled}')`
 */
export async function replaceCheck(
  runner: QueryRunner,
  table: string,
  name: string,
  condition: string,
): Promise<void> {
  await runner.query(
    `ALTER TABLE "${table}" DROP CONSTRAINT "${name}", ADD CONSTRAINT "${name}" CHECK (${condition}) NOT VALID`,
  );
  await runner.query(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${name}"`);
}
