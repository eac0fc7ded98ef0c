import { invariant, pageOfRows } from '../../platform/database/invariant';
import { DELIVERY_STATUS } from './webhook-delivery.entity';

/** The beginning of a statement, which an attempt has as its time, is this much before what the statement sees, at most. */
const TOLERANCE = `interval '3 seconds'`;

const EARLIER = `
  earlier.ordering_key = deliveries.ordering_key AND earlier.sequence < deliveries.sequence AND earlier.series = 1`;

/** Checks that no webhook was sent before an earlier one of its call was over. One that is sent again is out of order. */
export const CHECK_WEBHOOKS = invariant(
  'webhooks',
  `
  SELECT id, workspace_id,
         CASE
           WHEN status = '${DELIVERY_STATUS.delivered}' AND EXISTS (
             SELECT FROM webhook_deliveries earlier WHERE ${EARLIER} AND earlier.status = '${DELIVERY_STATUS.pending}')
             THEN 'The webhook was delivered before an earlier one of its call'
           WHEN status = '${DELIVERY_STATUS.delivered}' AND EXISTS (
             SELECT FROM webhook_deliveries earlier
             JOIN webhook_attempts last ON last.delivery_id = earlier.id AND last.number = earlier.attempts
             JOIN webhook_attempts first ON first.delivery_id = deliveries.id AND first.number = 1
             WHERE earlier.conversation_id = deliveries.conversation_id AND ${EARLIER}
               AND earlier.status = '${DELIVERY_STATUS.delivered}' AND first.started_at < last.started_at - ${TOLERANCE})
             THEN 'The webhook was sent before an earlier one of its call was delivered'
         END AS detail
  FROM (${pageOfRows('webhook_deliveries', 5_000)}) deliveries`,
);
