import { findQuota } from '../../accounts/workspaces/quotas.sql';
import { EVENT_TYPE } from './event-types';

export const FIND_TEST_EVENTS_QUOTA = findQuota(
  'webhook_test_events',
  `
    SELECT count(*) FROM webhook_deliveries
    WHERE workspace_id = $workspaceId AND type = '${EVENT_TYPE['webhook.test']}' AND created_at > now() - interval '24 hours'`,
);

export const FIND_ENDPOINTS_QUOTA = findQuota(
  'webhook_endpoints',
  'SELECT count(*) FROM webhook_endpoints WHERE workspace_id = $workspaceId',
);
