import { type Statement, statement } from '../../platform/database/statement';
import { isMaximum, type MaximumName, QUOTA_NAMES, quotaColumn, type QuotaName } from './quotas';
import { SPENT_TODAY } from './spending.sql';

/** pg returns a bigint as text. */
interface QuotaRow {
  limit: number | string | null;
  used: number | string | null;
}

export type FindQuota = Statement<{ workspaceId: string }, QuotaRow>;

/**
 * Declares the statement that reads a quota of a workspace, and how much of it the workspace has.
 * @param used SQL: a query of one number, on a row of `workspaces`. Values in it are no parameters: Postgres uses a
 * partial index only for values that the text of the statement has when it is planned.
 */
export const findQuota = (name: QuotaName | MaximumName, used: string): FindQuota =>
  statement(
    `find-quota-of-${name}`,
    `SELECT ${isMaximum(name) ? 'NULL::bigint' : quotaColumn(name)} AS "limit", (${used}) AS used
     FROM workspaces WHERE id = $workspaceId`,
  );

/** The quotas of what the row of the workspace counts. Requests are counted in the memory of each process only. */
export const FIND_OWN_QUOTAS = {
  concurrent_calls: findQuota('concurrent_calls', 'SELECT workspaces.calls_under_way'),
  requests_per_minute: findQuota('requests_per_minute', 'SELECT NULL::bigint'),
  credits_per_day: findQuota('credits_per_day', `SELECT ${SPENT_TODAY}`),
};

/** The statements of all quotas. A feature above this folder declares the statement that counts what it creates. */
export abstract class QuotaStatements {
  abstract readonly find: Readonly<Record<QuotaName | MaximumName, FindQuota>>;
}

const mapNames = <Name extends string, Value>(names: Name[], toValue: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;

export const SET_QUOTA = mapNames(QUOTA_NAMES, (name) =>
  statement<{ workspaceId: string; limit: number | null }, { id: string }>(
    `set-quota-of-${name}`,
    `UPDATE workspaces SET ${quotaColumn(name)} = $limit WHERE id = $workspaceId RETURNING id`,
  ),
);
