import { invariant, pageOfRows } from '../../platform/database/invariant';
import { DELIVERY_STATUS } from './webhook-delivery.entity';

/** Checks that no webhook was delivered before an earlier one of its call. One that is sent again is out of order. */
export const CHECK_WEBHOOKS = invariant(
  'webhooks',
  `
  SELECT id, workspace_id,
         CASE WHEN status = '${DELIVERY_STATUS.delivered}' AND EXISTS (
                SELECT FROM webhook_deliveries earlier
                WHERE earlier.ordering_key = deliveries.ordering_key AND earlier.sequence < deliveries.sequence
                  AND earlier.status = '${DELIVERY_STATUS.pending}' AND earlier.series = 1)
              THEN 'The webhook was delivered before an earlier one of its call' END AS detail
  FROM (${pageOfRows('webhook_deliveries', 5_000)}) deliveries`,
);
