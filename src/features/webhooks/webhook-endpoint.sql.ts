import { statement } from '../../platform/database/statement';
import { addDeliveryJobs, GIVE_UP_AT, HAS_JOBS } from './add-webhook-event.sql';
import { addEndpointJob } from './webhook-attempt.sql';
import { DELIVERY_STATUS } from './webhook-delivery.entity';
import { ENDPOINT_STATUS, type EndpointStatus, type PausedReason } from './webhook-endpoint.entity';

interface EndpointOfWorkspace {
  workspaceId: string;
  endpointId: string;
}

/** More deliveries than this that wait for an endpoint are counted as this many. */
export const MAX_WAITING = 10_000;

const IS_WAITING = `status IN ('${DELIVERY_STATUS.pending}', '${DELIVERY_STATUS.held}')`;

export const COUNT_WAITING = statement<
  { workspaceId: string; ids: string[] },
  { id: string; waiting: number }
>(
  'count-deliveries-waiting-for-endpoints',
  `
    SELECT endpoint.id, (SELECT count(*)::int FROM (
      SELECT FROM webhook_deliveries
      WHERE workspace_id = $workspaceId AND endpoint_id = endpoint.id AND ${IS_WAITING} LIMIT ${MAX_WAITING}) AS waiting) AS waiting
    FROM unnest($ids::uuid[]) AS endpoint (id)`,
);

/** Adds the job of an endpoint whose status has changed. */
export const ADD_ENDPOINT_JOB = statement<EndpointOfWorkspace & { delaySeconds: number }, { id: string }>(
  'add-webhook-endpoint-job',
  `SELECT (${addEndpointJob('endpoint', "now() + $delaySeconds * interval '1 second'")}).id
   FROM webhook_endpoints AS endpoint WHERE workspace_id = $workspaceId AND id = $endpointId`,
);

export const FIND_ENDPOINT_STATUS = statement<EndpointOfWorkspace, { status: EndpointStatus }>(
  'find-webhook-endpoint-status',
  `SELECT status FROM webhook_endpoints WHERE workspace_id = $workspaceId AND id = $endpointId`,
);

/** The delays between the first probes, in seconds; later ones follow each other after the last. */
const PROBE_DELAYS = [30, 120, 300, 900];

/** Takes the probe that is due, and adds the job of the next one. No row: it is not due, or another process has it. */
export const TAKE_PROBE = statement<EndpointOfWorkspace, { id: string }>(
  'take-webhook-probe',
  `
    WITH taken AS (
      UPDATE webhook_endpoints SET probes = probes + 1,
        probe_at = now() + (ARRAY[${PROBE_DELAYS.join(', ')}])[LEAST(probes + 1, ${PROBE_DELAYS.length})] * interval '1 second'
      WHERE workspace_id = $workspaceId AND id = $endpointId AND status = '${ENDPOINT_STATUS.failing}' AND probe_at <= now()
      RETURNING id, workspace_id, probe_at
    )
    SELECT (${addEndpointJob('taken', 'probe_at')}).id FROM taken`,
);

/** Pauses an endpoint that gets deliveries. What waits is held by its job. */
export const PAUSE_ENDPOINT = statement<EndpointOfWorkspace & { reason: PausedReason }, { id: string }>(
  'pause-webhook-endpoint',
  `
    WITH paused AS (
      UPDATE webhook_endpoints
      SET status = '${ENDPOINT_STATUS.paused}', status_since = now(), paused_reason = $reason, probe_at = NULL
      WHERE workspace_id = $workspaceId AND id = $endpointId
        AND status IN ('${ENDPOINT_STATUS.ok}', '${ENDPOINT_STATUS.failing}')
      RETURNING id, workspace_id
    )
    SELECT (${addEndpointJob('paused')}).id FROM paused`,
);

/** The number of deliveries that one statement moves. */
export const MOVE_BATCH = 1_000;

interface Batch extends EndpointOfWorkspace {
  /** The sequence after which the batch begins. */
  after: string;
}

interface Moved {
  /** null: the batch was empty. */
  last: string | null;
}

/** The pending deliveries of an endpoint, locked in their order as a replay locks them. */
const BATCH = `
  SELECT id FROM webhook_deliveries
  WHERE workspace_id = $workspaceId AND endpoint_id = $endpointId AND status = '${DELIVERY_STATUS.pending}'
    AND sequence > $after::bigint
  ORDER BY sequence LIMIT ${MOVE_BATCH} FOR NO KEY UPDATE`;

/** Makes deliveries due that waited while their endpoint got none, with a new day of attempts. */
export const SEND_WAITING = statement<Batch, Moved>(
  'send-waiting-webhooks',
  `
    WITH batch AS (${BATCH}), moved AS (
      UPDATE webhook_deliveries AS delivery SET next_attempt_at = now(), give_up_at = ${GIVE_UP_AT}, failures = 0
      FROM batch WHERE delivery.id = batch.id
      RETURNING workspace_id, ordering_key, endpoint_id, sequence
    ), keys AS (
      SELECT DISTINCT workspace_id, ordering_key, endpoint_id FROM moved
    ), ${addDeliveryJobs('keys')}
    SELECT max(sequence)::text AS last FROM moved WHERE ${HAS_JOBS}`,
);

/** Holds deliveries of an endpoint that gets none until somebody enables it. An attempt in progress decides its own. */
export const HOLD_WAITING = statement<Batch, Moved>(
  'hold-waiting-webhooks',
  `
    WITH batch AS (${BATCH}), held AS (
      UPDATE webhook_deliveries AS delivery SET
        status = CASE WHEN leased_until > now() THEN status ELSE '${DELIVERY_STATUS.held}' END,
        next_attempt_at = CASE WHEN leased_until > now() THEN next_attempt_at END,
        leased_until = CASE WHEN leased_until > now() THEN leased_until END
      FROM batch WHERE delivery.id = batch.id
      RETURNING sequence
    )
    SELECT max(sequence)::text AS last FROM held`,
);

/** The number of deliveries that a replay sends again. */
export const REPLAY_BATCH = 50_000;

/** Makes deliveries pending again that were held or failed, the oldest first. The job of the endpoint sends them. */
export const REPLAY_DELIVERIES = statement<
  EndpointOfWorkspace & { from: Date; to: Date | null },
  { deliveries: number }
>(
  'replay-webhook-deliveries',
  `
    WITH chosen AS (
      SELECT id FROM webhook_deliveries
      WHERE workspace_id = $workspaceId AND endpoint_id = $endpointId
        AND status IN ('${DELIVERY_STATUS.held}', '${DELIVERY_STATUS.failed}')
        AND created_at >= $from::timestamptz AND ($to::timestamptz IS NULL OR created_at <= $to)
      ORDER BY sequence LIMIT ${REPLAY_BATCH} FOR NO KEY UPDATE
    ), replayed AS (
      UPDATE webhook_deliveries AS delivery SET
        status = '${DELIVERY_STATUS.pending}', series = series + 1, failures = 0, next_attempt_at = now(),
        give_up_at = ${GIVE_UP_AT}, given_up_at = NULL, dismissed_at = NULL
      FROM chosen WHERE delivery.id = chosen.id
      RETURNING 1
    )
    SELECT count(*)::int AS deliveries FROM replayed`,
);

/** The number of deliveries that a deletion drops at once. The cleaner drops the others. */
export const DROP_BATCH = 10_000;

/** Deletes deliveries of deleted endpoints that are not sent any more. */
export const DROP_UNSENT = statement<{ limit: number }, { id: string }>(
  'drop-webhooks-of-deleted-endpoints',
  `
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE endpoint_id IS NOT NULL AND ${IS_WAITING}
        AND NOT EXISTS (SELECT FROM webhook_endpoints AS endpoint WHERE endpoint.id = endpoint_id)
      LIMIT $limit FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);

export const DROP_UNSENT_OF_ENDPOINT = statement<EndpointOfWorkspace, { id: string }>(
  'drop-webhooks-of-endpoint',
  `
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE workspace_id = $workspaceId AND endpoint_id = $endpointId AND ${IS_WAITING}
      LIMIT ${DROP_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);
