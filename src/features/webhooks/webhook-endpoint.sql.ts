import { statement } from '../../platform/database/statement';
import { addDeliveryJobs, GIVE_UP_AT, HAS_JOBS } from './add-webhook-event.sql';
import { addEndpointJob, ENDPOINT_JOB_KEY } from './add-endpoint-job.sql';
import type { EndpointJob } from './delivery-job';
import { EVENT_TYPE } from './event-types';
import { DELIVERY_STATUS } from './webhook-delivery.entity';
import { ENDPOINT_STATUS, type EndpointStatus } from './webhook-endpoint.entity';

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

/** Adds the job of an endpoint whose status has changed, or which is deleted. */
export const ADD_ENDPOINT_JOB = statement<EndpointOfWorkspace, { id: string }>(
  'add-webhook-endpoint-job',
  `SELECT (${addEndpointJob()}).id FROM (SELECT $workspaceId::uuid AS workspace_id, $endpointId::uuid AS endpoint_id) AS endpoint`,
);

/** Adds the job of an endpoint again, to go on in a second. */
export const CONTINUE_ENDPOINT_JOB = statement<EndpointJob, { id: string }>(
  'continue-webhook-endpoint-job',
  `
    SELECT (${addEndpointJob({
      runAt: "now() + interval '1 second'",
      jobKey: ENDPOINT_JOB_KEY,
      after: '$after::text',
      until: '$until::text',
    })}).id
    FROM (SELECT $workspaceId::uuid AS workspace_id, $endpointId::uuid AS endpoint_id) AS endpoint`,
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
      RETURNING id AS endpoint_id, workspace_id, probe_at
    )
    SELECT (${addEndpointJob({ runAt: 'probe_at' })}).id FROM taken`,
);

/** Makes the next probe of an endpoint due. */
export const PROBE_NOW = statement<EndpointOfWorkspace>(
  'probe-webhook-endpoint-now',
  `
    UPDATE webhook_endpoints SET probe_at = now(), probes = 0
    WHERE workspace_id = $workspaceId AND id = $endpointId AND status = '${ENDPOINT_STATUS.failing}'`,
);

/** The number of deliveries that one statement moves. */
export const MOVE_BATCH = 1_000;

const PENDING_OF_ENDPOINT = `
  workspace_id = $workspaceId AND endpoint_id = $endpointId AND status = '${DELIVERY_STATUS.pending}'`;

interface SentOn {
  /** The last delivery up to which it goes on. null: none is pending. */
  until: string | null;
  /** The last delivery that was sent on. null: none, because enough of those before are still to be sent. */
  last: string | null;
}

/**
 * Makes deliveries due that waited while their endpoint got none, with a new day of attempts, and adds their jobs: a batch,
 * unless as many of the batches before are still to be sent. A fetch of jobs reads those of a saturated endpoint, too.
 */
export const SEND_WAITING = statement<EndpointJob, SentOn>(
  'send-waiting-webhooks',
  `
    WITH bounds AS (
      SELECT COALESCE($until::bigint, (SELECT max(sequence) FROM webhook_deliveries WHERE ${PENDING_OF_ENDPOINT})) AS until
    ), batch AS (
      SELECT id FROM webhook_deliveries
      WHERE ${PENDING_OF_ENDPOINT} AND sequence > $after::bigint AND sequence <= (SELECT until FROM bounds)
        AND (SELECT count(*) FROM (
          SELECT FROM webhook_deliveries WHERE ${PENDING_OF_ENDPOINT} AND sequence <= $after::bigint LIMIT ${MOVE_BATCH}) AS sent) < ${MOVE_BATCH}
      ORDER BY sequence LIMIT ${MOVE_BATCH} FOR NO KEY UPDATE
    ), moved AS (
      UPDATE webhook_deliveries AS delivery SET next_attempt_at = now(), give_up_at = ${GIVE_UP_AT}, failures = 0
      FROM batch WHERE delivery.id = batch.id
      RETURNING workspace_id, ordering_key, endpoint_id, sequence
    ), keys AS (
      SELECT DISTINCT workspace_id, ordering_key, endpoint_id FROM moved
    ), ${addDeliveryJobs('keys', `concat('waiting ', ordering_key)`)}
    SELECT (SELECT until FROM bounds)::text AS until, (SELECT max(sequence) FROM moved)::text AS last
    WHERE ${HAS_JOBS}`,
);

/**
 * Holds deliveries of an endpoint that gets none until somebody enables it. The lock lets a change of the status come after
 * this batch, or before it: then nothing is held. An attempt in progress, and a test, decide their own.
 */
export const HOLD_WAITING = statement<EndpointOfWorkspace, { id: string }>(
  'hold-waiting-webhooks',
  `
    UPDATE webhook_deliveries
    SET status = '${DELIVERY_STATUS.held}', next_attempt_at = NULL, leased_until = NULL
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE workspace_id = $workspaceId AND status = '${DELIVERY_STATUS.pending}' AND type <> '${EVENT_TYPE['webhook.test']}'
        AND endpoint_id = ANY (ARRAY(
          SELECT id FROM webhook_endpoints
          WHERE workspace_id = $workspaceId AND id = $endpointId
            AND status IN ('${ENDPOINT_STATUS.paused}', '${ENDPOINT_STATUS.off}')
          FOR SHARE))
        AND (leased_until IS NULL OR leased_until <= now())
      ORDER BY sequence LIMIT ${MOVE_BATCH} FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING id`,
);

/** The number of deliveries that a replay sends again. */
export const REPLAY_BATCH = 10_000;

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

/** Deletes deliveries of a deleted endpoint that are not sent any more. */
export const DROP_WAITING = statement<EndpointOfWorkspace, { id: string }>(
  'drop-waiting-webhooks',
  `
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE workspace_id = $workspaceId AND endpoint_id = $endpointId AND ${IS_WAITING}
      LIMIT ${MOVE_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);
