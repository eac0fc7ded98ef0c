import { statement } from '../database/statement';
import { isMaximum, type MaximumName, QUOTA_NAMES, quotaColumn, type QuotaName } from './quotas';
import { SPENT_TODAY } from './spending.sql';
import { isValidApiKey } from './valid-api-key.sql';

/**
 * How much of it the workspace has. Requests are counted in the memory of each process only.
 * The statuses are `OPEN_STATUSES` of campaigns, and the type is an `EVENT_TYPE` of webhooks, which this folder must not
 * import. They are no parameters: Postgres uses a partial index only for values that it knows when it plans.
 */
const USED: Record<QuotaName | MaximumName, string> = {
  agents: `SELECT count(*) FROM agents WHERE workspace_id = $workspaceId AND deleted_at IS NULL`,
  knowledge_base_bytes: `
    SELECT COALESCE(sum(bytes), 0) FROM knowledge_base_sources WHERE workspace_id = $workspaceId`,
  api_keys: `SELECT count(*) FROM api_keys AS key WHERE workspace_id = $workspaceId AND ${isValidApiKey('key')}`,
  phone_numbers: `SELECT count(*) FROM phone_numbers WHERE workspace_id = $workspaceId`,
  recipients: `
    SELECT COALESCE(sum(count_pending + count_retrying), 0) FROM campaigns
    WHERE workspace_id = $workspaceId AND status IN ('scheduled', 'running', 'paused')`,
  concurrent_calls: 'SELECT workspaces.calls_under_way',
  requests_per_minute: 'SELECT NULL::bigint',
  credits_per_day: `SELECT ${SPENT_TODAY}`,
  knowledge_bases: `SELECT count(*) FROM knowledge_bases WHERE workspace_id = $workspaceId`,
  prompt_templates: `SELECT count(*) FROM prompt_templates WHERE workspace_id = $workspaceId`,
  sessions: `SELECT count(*) FROM sessions WHERE workspace_id = $workspaceId AND expires_at > now()`,
  open_erasures: `SELECT count(*) FROM erasures WHERE workspace_id = $workspaceId AND phone_number IS NOT NULL`,
  do_not_call_entries: `SELECT count(*) FROM do_not_call WHERE workspace_id = $workspaceId`,
  webhook_test_events: `
    SELECT count(*) FROM webhook_deliveries
    WHERE workspace_id = $workspaceId AND type = 'webhook.test' AND created_at > now() - interval '24 hours'`,
};

const mapNames = <Name extends string, Value>(names: Name[], valueOf: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;

/** pg returns a bigint as text. */
interface QuotaRow {
  limit: number | string | null;
  used: number | string | null;
}

export const FIND_QUOTA = mapNames(Object.keys(USED) as (keyof typeof USED)[], (name) =>
  statement<{ workspaceId: string }, QuotaRow>(
    `find-quota-of-${name}`,
    `SELECT ${isMaximum(name) ? 'NULL::bigint' : quotaColumn(name)} AS "limit", (${USED[name]}) AS used
     FROM workspaces WHERE id = $workspaceId`,
  ),
);

export const SET_QUOTA = mapNames(QUOTA_NAMES, (name) =>
  statement<{ workspaceId: string; limit: number | null }, { id: string }>(
    `set-quota-of-${name}`,
    `UPDATE workspaces SET ${quotaColumn(name)} = $limit WHERE id = $workspaceId RETURNING id`,
  ),
);
