import { statement } from '../../platform/database/statement';
import { addDeliveryJob, addWebhookEvents, GIVE_UP_AT, HAS_JOBS } from './add-webhook-event.sql';
import { EVENT_TYPE, TEST_EVENT_DATA } from './event-types';
import { DELIVERY_STATUS } from './webhook-delivery.entity';
import { ENDPOINT_STATUS } from './webhook-endpoint.entity';

const testEvent = (url: string) => `
    SELECT $workspaceId::uuid AS workspace_id, NULL::uuid AS conversation_id, NULL::uuid AS agent_id,
           '${EVENT_TYPE['webhook.test']}' AS type, ${url} AS url, false AS is_for_endpoints,
           '${JSON.stringify(TEST_EVENT_DATA)}'::jsonb AS data, NULL::text AS traceparent, 1 AS ordinal`;

export const ADD_TEST_EVENT = statement<{ workspaceId: string; url: string }, { id: string }>(
  'add-webhook-test-event',
  `WITH ${addWebhookEvents(testEvent('$url::text'))}
   SELECT id FROM deliveries WHERE ${HAS_JOBS}`,
);

/** No row: the workspace has no such endpoint. */
export const ADD_ENDPOINT_TEST_EVENT = statement<{ workspaceId: string; endpointId: string }, { id: string }>(
  'add-webhook-endpoint-test-event',
  `WITH ${addWebhookEvents(
    testEvent(`''`),
    `
    SELECT event_id, endpoint.id AS endpoint_id, endpoint.url, '${DELIVERY_STATUS.pending}' AS status
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) WHERE endpoint.id = $endpointId`,
  )}
   SELECT id FROM deliveries WHERE ${HAS_JOBS}`,
);

const RESTARTED = `
  status = '${DELIVERY_STATUS.pending}', series = delivery.series + 1, failures = 0, next_attempt_at = now(), give_up_at = ${GIVE_UP_AT},
  given_up_at = NULL, dismissed_at = NULL`;

/**
 * Starts a new series of attempts at once. A settled delivery leaves the order of its call. A pending one keeps
 * its place, and the earlier ones are sent at once too. The rows are locked in their order, so that two replays
 * cannot deadlock. No row: there is no such delivery, or its endpoint gets nothing now.
 */
export const REPLAY_DELIVERY = statement<{ workspaceId: string; deliveryId: string }, { id: string }>(
  'replay-webhook-delivery',
  `
    WITH locked AS (
      SELECT delivery.id, delivery.ordering_key, delivery.status
      FROM webhook_deliveries AS delivery, webhook_deliveries AS replayed
      WHERE delivery.workspace_id = $workspaceId AND replayed.workspace_id = $workspaceId AND replayed.id = $deliveryId
        AND (replayed.endpoint_id IS NULL OR EXISTS (
          SELECT FROM webhook_endpoints AS endpoint
          WHERE endpoint.id = replayed.endpoint_id AND status IN ('${ENDPOINT_STATUS.ok}', '${ENDPOINT_STATUS.failing}')))
        AND (delivery.id = $deliveryId
             OR delivery.ordering_key = replayed.ordering_key AND delivery.status = '${DELIVERY_STATUS.pending}'
                AND delivery.sequence < replayed.sequence)
      ORDER BY delivery.sequence FOR UPDATE OF delivery
    ), chosen AS (
      SELECT * FROM locked WHERE id = $deliveryId
    ), ahead AS (
      UPDATE webhook_deliveries AS delivery SET ${RESTARTED} FROM locked, chosen
      WHERE chosen.status = '${DELIVERY_STATUS.pending}' AND locked.ordering_key = chosen.ordering_key AND locked.id <> chosen.id
        AND delivery.id = locked.id
    ), restarted AS (
      UPDATE webhook_deliveries AS delivery SET ${RESTARTED},
        ordering_key = CASE chosen.status WHEN '${DELIVERY_STATUS.pending}' THEN chosen.ordering_key ELSE chosen.id END
      FROM chosen WHERE delivery.id = chosen.id
      RETURNING delivery.workspace_id, delivery.ordering_key, delivery.endpoint_id
    )
    SELECT (${addDeliveryJob({ jobKey: `concat('replay ', ordering_key)` })}).id FROM restarted`,
);

/** The number of deliveries that one statement dismisses. */
export const DISMISS_BATCH = 10_000;

/** Dismisses deliveries that were given up until a time. SKIP LOCKED: a replay of one of them counts. */
export const DISMISS_DELIVERIES = statement<{ workspaceId: string; until: Date }, { id: string }>(
  'dismiss-webhook-deliveries',
  `
    UPDATE webhook_deliveries SET dismissed_at = now() WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE workspace_id = $workspaceId AND status = '${DELIVERY_STATUS.failed}' AND dismissed_at IS NULL
        AND COALESCE(given_up_at, created_at) <= $until::timestamptz
      LIMIT ${DISMISS_BATCH} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
);

/** SKIP LOCKED: cleaners that run at once delete different rows. */
export const DELETE_OLD_DELIVERIES = statement<{ retentionDays: number; limit: number }, { id: string }>(
  'delete-old-webhook-deliveries',
  `
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE status <> '${DELIVERY_STATUS.pending}' AND created_at < now() - $retentionDays * interval '1 day'
      ORDER BY created_at LIMIT $limit FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);

/** Deletes events whose deliveries are deleted. */
export const DELETE_OLD_EVENTS = statement<{ retentionDays: number; limit: number }, { id: string }>(
  'delete-old-webhook-events',
  `
    DELETE FROM webhook_events WHERE id IN (
      SELECT id FROM webhook_events AS event
      WHERE created_at < now() - $retentionDays * interval '1 day'
        AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id)
      ORDER BY created_at LIMIT $limit FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);

/** More pending deliveries than this are counted as this many, so that the statement has a bound. */
export const MAX_COUNTED_DELIVERIES = 100_000;

export const COUNT_PENDING_DELIVERIES = statement<object, { pending: number }>(
  'count-pending-webhooks',
  `
    SELECT count(*)::int AS pending
    FROM (SELECT FROM webhook_deliveries WHERE status = '${DELIVERY_STATUS.pending}'
          LIMIT ${MAX_COUNTED_DELIVERIES}) AS deliveries`,
);
