import { type Counted, isMaximum, QUOTAS, type QuotaName } from './quotas';
import { SPENT_TODAY } from './spending.sql';

/** How much of it the workspace has. $1 workspace. */
const USED: Record<Counted, string> = {
  agents: `SELECT count(*) FROM agents WHERE workspace_id = $1 AND deleted_at IS NULL`,
  knowledge_base_bytes: `SELECT COALESCE(sum(bytes), 0) FROM knowledge_base_sources WHERE workspace_id = $1`,
  api_keys: `
    SELECT count(*) FROM api_keys
    WHERE workspace_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  phone_numbers: `SELECT count(*) FROM phone_numbers WHERE workspace_id = $1`,
  recipients: `
    SELECT count(*) FROM campaigns JOIN campaign_recipients ON campaign_id = campaigns.id
    WHERE workspace_id = $1 AND status IN ('scheduled', 'running') AND conversation_id IS NULL`,
  knowledge_bases: `SELECT count(*) FROM knowledge_bases WHERE workspace_id = $1`,
  prompt_templates: `SELECT count(*) FROM prompt_templates WHERE workspace_id = $1`,
  webhook_test_events: `
    SELECT count(*) FROM webhook_deliveries
    WHERE workspace_id = $1 AND type = 'webhook.test' AND created_at > now() - interval '1 day'`,
};

const OTHERS: Partial<Record<QuotaName, string>> = {
  concurrent_calls: 'SELECT workspaces.calls_under_way',
  credits_per_day: `SELECT ${SPENT_TODAY}`,
};

/** $1 workspace, $2 what is counted. Creations of one kind in one workspace follow one another. */
export const LOCK_QUOTA = `SELECT pg_advisory_xact_lock(hashtextextended('quota ' || $1 || ' ' || $2, 0))`;

/** $1 workspace, $2 the default. In a statement after the lock's, which sees all that was committed before it. */
export const limitAndUsed = (counted: Counted) => `
  SELECT ${isMaximum(counted) ? '$2' : `COALESCE(${QUOTAS[counted].column}, $2)`}::bigint AS "limit",
         (${USED[counted]}) AS used
  FROM workspaces WHERE id = $1`;

/** $1 workspace. `used` is null where it is not counted. */
export const SHOW_QUOTA = (name: QuotaName) => `
  SELECT ${QUOTAS[name].column} AS "limit", (${{ ...USED, ...OTHERS }[name] ?? 'SELECT NULL::bigint'}) AS used
  FROM workspaces WHERE id = $1`;

/** $1 workspace, $2 limit, null for the default. */
export const setQuota = (name: QuotaName) =>
  `UPDATE workspaces SET ${QUOTAS[name].column} = $2 WHERE id = $1 RETURNING id`;
