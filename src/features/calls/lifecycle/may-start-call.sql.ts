import { SPENT_TODAY } from '../../../accounts/workspaces/spending.sql';
import { HOLD } from '../model/pricing';

/** SQL: the number of further calls that the credits pay for. */
const AFFORDABLE = `workspaces.credits / ${HOLD}`;

/** SQL: the number of further calls that the credits of today pay for. null: there is no limit */
const AFFORDABLE_TODAY = `(workspaces.quotas_credits_per_day - ${SPENT_TODAY}) / ${HOLD}`;

const concurrentCalls = (installationDefault: string) =>
  `COALESCE(workspaces.quotas_concurrent_calls, ${installationDefault}::integer)`;

const freeSlots = (concurrency: string) => `${concurrentCalls(concurrency)} - workspaces.calls_under_way`;

/**
 * An expression on a row of `workspaces`: whether it may start another call.
 * @param concurrency the parameter with how many calls may be in progress if the workspace has no quota of its own
 */
export const mayStartCall = (concurrency: string) => `
  workspaces.suspended_at IS NULL AND LEAST(${AFFORDABLE}, ${AFFORDABLE_TODAY}, ${freeSlots(concurrency)}) >= 1`;

/** Columns of a row of `workspaces`: how many calls it may start now, and the limits that a refusal names. */
export const freeCalls = (concurrency: string) => `
  workspaces.suspended_at IS NOT NULL AS is_suspended, ${AFFORDABLE} AS affordable,
  ${AFFORDABLE_TODAY} AS affordable_today, ${freeSlots(concurrency)} AS free_slots,
  workspaces.quotas_credits_per_day AS credits_per_day, ${concurrentCalls(concurrency)} AS concurrent_calls`;

/**
 * SQL, on a row with the columns of {@link freeCalls}: why the n-th of several calls may not start; null: it may.
 */
export const findRefusal = (place: string) => `
  CASE WHEN is_suspended THEN 'suspended'
       WHEN ${place} > affordable THEN 'no credits'
       WHEN ${place} > affordable_today THEN 'no credits today'
       WHEN ${place} > free_slots THEN 'too many calls' END`;
