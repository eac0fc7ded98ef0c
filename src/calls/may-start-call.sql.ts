import { statement } from '../database/statement';
import { SPENT_TODAY } from '../workspaces/spending.sql';
import type { NewCall, WorkspaceRefusal } from './accepted-call';
import { HOLD } from './pricing';

const HAS_CREDITS = `workspaces.credits >= ${HOLD}`;

const HAS_CREDITS_TODAY = `
  (workspaces.quotas_credits_per_day IS NULL OR ${SPENT_TODAY} + ${HOLD} <= workspaces.quotas_credits_per_day)`;

const concurrentCalls = (installationDefault: string) =>
  `COALESCE(workspaces.quotas_concurrent_calls, ${installationDefault}::integer)`;

/**
 * An expression on a row of `workspaces`: whether it may start another call.
 * @param concurrency the parameter with how many calls may be in progress if the workspace has no quota of its own
 */
export const mayStartCall = (concurrency: string) => `
  workspaces.suspended_at IS NULL AND ${HAS_CREDITS} AND ${HAS_CREDITS_TODAY}
  AND workspaces.calls_under_way < ${concurrentCalls(concurrency)}`;

/** Why the workspace may not start a call. */
export const WHY_REFUSED = statement<
  Pick<NewCall, 'workspaceId' | 'workspaceConcurrency'>,
  { reason: WorkspaceRefusal; creditsPerDay: number; concurrentCalls: number }
>(
  'why-call-refused',
  `
    SELECT CASE WHEN suspended_at IS NOT NULL THEN 'suspended'
                WHEN NOT ${HAS_CREDITS} THEN 'no credits'
                WHEN NOT ${HAS_CREDITS_TODAY} THEN 'no credits today'
                ELSE 'too many calls' END AS reason,
           quotas_credits_per_day AS "creditsPerDay", ${concurrentCalls('$workspaceConcurrency')} AS "concurrentCalls"
    FROM workspaces WHERE id = $workspaceId`,
);
