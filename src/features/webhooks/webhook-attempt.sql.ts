import { statement } from '../../platform/database/statement';
import { addDeliveryJob } from './add-webhook-event.sql';
import { addEndpointJob, ENDPOINT_JOB_KEY } from './add-endpoint-job.sql';
import { EVENT_TYPE } from './event-types';
import { withoutPerson } from './event-without-person.sql';
import { MINIMUM_RETRY_HOURS } from './retry-schedule';
import { VERDICT, type Verdict } from './verdict';
import { DELIVERY_STATUS, type WebhookDelivery } from './webhook-delivery.entity';
import { ENDPOINT_STATUS } from './webhook-endpoint.entity';

/** A delivery with an attempt in progress, whose number is `attempts`. */
export type ClaimedDelivery = Pick<
  WebhookDelivery,
  | 'id'
  | 'workspaceId'
  | 'conversationId'
  | 'endpointId'
  | 'eventId'
  | 'type'
  | 'url'
  | 'traceparent'
  | 'createdAt'
  | 'attempts'
  | 'series'
  | 'failures'
  | 'isErased'
> & {
  data: object;
  /** The secret of the endpoint, or of the workspace. null: it has none yet. */
  secret: string | null;
  previousSecret: string | null;
};

interface OrderingKey {
  workspaceId: string;
  orderingKey: string;
}

interface Attempt {
  workspaceId: string;
  deliveryId: string;
  /** The number of the attempt. */
  attempt: number;
}

interface Result extends Attempt {
  series: number;
  isErased: boolean;
  verdict: Verdict;
  statusCode: number | null;
  error: string | null;
  /** JSON; null: there was no answer, or it is not kept */
  answerHeaders: string | null;
  answerBody: string | null;
  durationMs: number;
  delaySeconds: number;
  /** The time after which an endpoint that is failing is paused. */
  pauseHours: number;
}

export interface SettledAttempt {
  /** null: a later attempt decides it */
  status: WebhookDelivery['status'] | null;
  /** Whether a delivery of the ordering key is still pending. */
  isMore: boolean;
}

/** The lease is far longer than an attempt takes. */
const LEASE = `interval '30 seconds'`;

const IS_PENDING = `status = '${DELIVERY_STATUS.pending}'`;

const OLDEST_PENDING = `
  SELECT id, workspace_id, ordering_key, endpoint_id, event_id, type, next_attempt_at, leased_until FROM webhook_deliveries
  WHERE workspace_id = $workspaceId AND ordering_key = $orderingKey AND ${IS_PENDING}
  ORDER BY sequence LIMIT 1`;

/** A test is sent whatever the status is. */
const IS_TEST = `type = '${EVENT_TYPE['webhook.test']}'`;

/**
 * SQL: a statement that starts an attempt. If two processes claim a delivery at once, the second one waits for the row
 * and then finds the lease. An erasure may be committed meanwhile, so the data is emptied again.
 * @param oldest selects the id, endpoint_id and event_id of a delivery
 * @param condition on `delivery` and `target`, which has the status of the endpoint
 */
const claim = (oldest: string, condition: string) => `
  WITH oldest AS (${oldest}), target AS (
    SELECT oldest.id, endpoint.url AS endpoint_url, endpoint.status AS endpoint_status, event.data AS event_data,
           event.traceparent AS event_traceparent, event.created_at AS event_created_at,
           COALESCE(endpoint.secret, own.secret) AS secret,
           CASE WHEN endpoint.id IS NULL THEN CASE WHEN own.previous_expires_at > now() THEN own.previous_secret END
                WHEN endpoint.previous_expires_at > now() THEN endpoint.previous_secret END AS previous_secret
    FROM oldest
    LEFT JOIN webhook_endpoints AS endpoint ON endpoint.id = oldest.endpoint_id
    LEFT JOIN webhook_events AS event ON event.id = oldest.event_id
    LEFT JOIN webhook_secrets AS own ON own.workspace_id = $workspaceId
  ), claimed AS (
    UPDATE webhook_deliveries AS delivery
    SET attempts = attempts + 1, leased_until = now() + ${LEASE}, url = COALESCE(endpoint_url, delivery.url),
        give_up_at = CASE attempts WHEN 0 THEN GREATEST(give_up_at, now() + interval '${MINIMUM_RETRY_HOURS} hours')
                     ELSE give_up_at END
    FROM target
    WHERE delivery.id = target.id AND delivery.workspace_id = $workspaceId AND ${IS_PENDING}
      AND (delivery.leased_until IS NULL OR delivery.leased_until <= now()) AND ${condition}
    RETURNING delivery.id, delivery.workspace_id AS "workspaceId", conversation_id AS "conversationId",
              endpoint_id AS "endpointId", event_id AS "eventId", type,
              delivery.url, CASE WHEN is_erased THEN ${withoutPerson('COALESCE(event_data, data)')}
                                 ELSE COALESCE(event_data, data) END AS data,
              COALESCE(event_traceparent, traceparent) AS traceparent, COALESCE(event_created_at, created_at) AS "createdAt",
              attempts, series, failures, is_erased AS "isErased", secret, previous_secret AS "previousSecret"
  ), started AS (
    INSERT INTO webhook_attempts (delivery_id, number) SELECT id, attempts FROM claimed
  )
  SELECT * FROM claimed`;

/** Starts an attempt of the oldest pending delivery. No row: it is not due, it is leased, or its endpoint gets none now. */
export const CLAIM_DELIVERY = statement<OrderingKey, ClaimedDelivery>(
  'claim-webhook-delivery',
  claim(
    OLDEST_PENDING,
    `delivery.next_attempt_at <= now()
      AND (endpoint_id IS NULL OR endpoint_status = '${ENDPOINT_STATUS.ok}' OR endpoint_status IS NOT NULL AND ${IS_TEST})`,
  ),
);

/** The number of deliveries among which a probe chooses. */
const PROBED = 100;

/**
 * Starts an attempt of a delivery of an endpoint that is failing, whenever it is due: one that was not tried yet, or not for
 * the longest time, because the receiver may refuse one delivery alone.
 */
export const CLAIM_PROBE = statement<{ workspaceId: string; endpointId: string }, ClaimedDelivery>(
  'claim-webhook-probe',
  claim(
    `
      SELECT id, endpoint_id, event_id FROM (
        SELECT DISTINCT ON (ordering_key) * FROM (
          SELECT id, endpoint_id, event_id, ordering_key, sequence, attempts, next_attempt_at FROM webhook_deliveries
          WHERE workspace_id = $workspaceId AND endpoint_id = $endpointId AND ${IS_PENDING}
          ORDER BY sequence LIMIT ${PROBED}) AS oldest
        ORDER BY ordering_key, sequence) AS first_of_each
      ORDER BY attempts > 0, next_attempt_at, sequence LIMIT 1`,
    `endpoint_status = '${ENDPOINT_STATUS.failing}'`,
  ),
);

/**
 * Adds the job again for the time at which the oldest pending delivery can be claimed, unless a job waits for that
 * time already. It does nothing if no delivery is pending, or if the endpoint is failing: the change of its status adds
 * the jobs again. The lock lets that change find the delivery. If it is not free, the status is changing, and the job looks
 * again. An endpoint that is paused, off or deleted gets its own job, which moves what waits.
 */
export const RESCHEDULE = statement<OrderingKey & { minimumSeconds: number }>(
  'reschedule-webhook-deliveries',
  `
    SELECT CASE
      WHEN endpoint_id IS NULL OR seen.status IS NOT NULL AND (${IS_TEST} OR COALESCE(locked.status, '${ENDPOINT_STATUS.ok}') = '${ENDPOINT_STATUS.ok}')
        THEN (${addDeliveryJob({ runAt: 'run_at', jobKey: `concat_ws(' ', ordering_key, extract(epoch FROM run_at))` })}).id
      WHEN seen.status IS NULL OR locked.status <> '${ENDPOINT_STATUS.failing}'
        THEN (${addEndpointJob({ jobKey: ENDPOINT_JOB_KEY })}).id END
    FROM (${OLDEST_PENDING}) AS oldest
    LEFT JOIN LATERAL (SELECT status FROM webhook_endpoints WHERE id = endpoint_id) AS seen ON true
    LEFT JOIN LATERAL (
      SELECT status FROM webhook_endpoints WHERE id = endpoint_id FOR SHARE SKIP LOCKED) AS locked ON true,
         GREATEST(next_attempt_at, leased_until, now() + $minimumSeconds * interval '1 second') AS run_at`,
);

/** The number of attempts in a row after whose failure an endpoint is failing. */
const FAILURES_TO_PROBE = 5;

/** The delay before the first probe. */
const FIRST_PROBE = `interval '5 seconds'`;

/**
 * SQL: whether the delivery was replayed during the attempt, so that its failure does not count for the new
 * series.
 */
const IS_REPLAYED = `series <> $series AND $verdict <> '${VERDICT.delivered}'`;

/** SQL: whether it is tried again. The day of a delivery does not run out while its endpoint is failing. */
const IS_RETRIED = `
  $verdict = '${VERDICT.retry}' AND (give_up_at > now() OR locked.endpoint_status = '${ENDPOINT_STATUS.failing}')`;

const IS_DELIVERED = `$verdict = '${VERDICT.delivered}'`;

/** The time of the last success is written once in this time, so that attempts do not wait for each other. */
const SUCCESS_NOTED = `interval '10 seconds'`;

/** The status code of a receiver that wants no events any more. */
const GONE = 410;

/** SQL: the status of an endpoint after an attempt. A failure at an address that it had before says nothing. */
const STATUS_AFTER = `
  CASE WHEN status NOT IN ('${ENDPOINT_STATUS.ok}', '${ENDPOINT_STATUS.failing}') THEN status
       WHEN ${IS_DELIVERED} THEN '${ENDPOINT_STATUS.ok}'
       WHEN webhook_endpoints.url <> sent_to THEN status
       WHEN $statusCode = ${GONE} THEN '${ENDPOINT_STATUS.paused}'
       WHEN status = '${ENDPOINT_STATUS.failing}' AND status_since <= now() - $pauseHours * interval '1 hour'
         THEN '${ENDPOINT_STATUS.paused}'
       WHEN failures + 1 >= ${FAILURES_TO_PROBE} THEN '${ENDPOINT_STATUS.failing}'
       ELSE status END`;

/**
 * Stores the result of an attempt. If another attempt has taken over the lease, the delivery does not change. The
 * answer is not kept if the person was erased meanwhile: it may repeat what was sent. A result that changes the status of
 * the endpoint adds its job.
 */
export const SETTLE_ATTEMPT = statement<Result, SettledAttempt>(
  'settle-webhook-attempt',
  `
    WITH locked AS MATERIALIZED (
      SELECT delivery.id, ordering_key, endpoint_id, delivery.url AS sent_to, is_erased = $isErased AS is_unchanged,
             endpoint.status AS endpoint_status
      FROM webhook_deliveries AS delivery LEFT JOIN webhook_endpoints AS endpoint ON endpoint.id = endpoint_id
      WHERE delivery.workspace_id = $workspaceId AND delivery.id = $deliveryId FOR NO KEY UPDATE OF delivery
    ), attempt AS (
      UPDATE webhook_attempts AS attempt SET
        status_code = $statusCode, error = $error, duration_ms = $durationMs,
        answer_headers = CASE WHEN is_unchanged THEN $answerHeaders::jsonb END,
        answer_body = CASE WHEN is_unchanged THEN $answerBody END
      FROM locked WHERE delivery_id = locked.id AND number = $attempt
    ), endpoint AS (
      UPDATE webhook_endpoints SET
        status = ${STATUS_AFTER},
        status_since = CASE WHEN status = ${STATUS_AFTER} THEN status_since ELSE now() END,
        paused_reason = CASE ${STATUS_AFTER} WHEN status THEN paused_reason
                          WHEN '${ENDPOINT_STATUS.paused}' THEN CASE $statusCode WHEN ${GONE} THEN 'gone' ELSE 'failing' END END,
        failures = CASE WHEN ${IS_DELIVERED} THEN 0 WHEN url = sent_to THEN failures + 1 ELSE failures END,
        probes = CASE WHEN status = ${STATUS_AFTER} THEN probes ELSE 0 END,
        probe_at = CASE ${STATUS_AFTER} WHEN status THEN probe_at
                                        WHEN '${ENDPOINT_STATUS.failing}' THEN now() + ${FIRST_PROBE} END,
        last_delivered_at = CASE WHEN ${IS_DELIVERED} THEN now() ELSE last_delivered_at END,
        last_error = CASE WHEN ${IS_DELIVERED} THEN last_error ELSE $error END
      FROM locked
      WHERE webhook_endpoints.id = locked.endpoint_id
        AND (NOT ${IS_DELIVERED} OR failures > 0 OR last_delivered_at IS NULL OR last_delivered_at < now() - ${SUCCESS_NOTED})
      RETURNING workspace_id, webhook_endpoints.id AS endpoint_id, status, status_since, probe_at
    ), settled AS (
      UPDATE webhook_deliveries AS delivery SET
        status = CASE WHEN ${IS_DELIVERED} THEN '${DELIVERY_STATUS.delivered}'
                      WHEN ${IS_REPLAYED} OR ${IS_RETRIED} THEN '${DELIVERY_STATUS.pending}' ELSE '${DELIVERY_STATUS.failed}' END,
        next_attempt_at = CASE WHEN ${IS_REPLAYED} THEN now()
                               WHEN ${IS_RETRIED} THEN LEAST(now() + $delaySeconds * interval '1 second', GREATEST(give_up_at, now())) END,
        given_up_at = CASE WHEN NOT (${IS_DELIVERED} OR ${IS_REPLAYED} OR ${IS_RETRIED}) THEN now() END,
        failures = failures + (NOT ${IS_DELIVERED} AND series = $series)::int,
        leased_until = NULL, last_status_code = $statusCode, last_error = $error
      FROM locked
      WHERE delivery.id = locked.id AND status = '${DELIVERY_STATUS.pending}' AND attempts = $attempt
      RETURNING status
    )
    SELECT settled.status,
           settled.status IS DISTINCT FROM '${DELIVERY_STATUS.delivered}' AND settled.status IS DISTINCT FROM '${DELIVERY_STATUS.failed}'
             OR EXISTS (SELECT FROM webhook_deliveries AS other
                        WHERE other.ordering_key = locked.ordering_key AND other.${IS_PENDING} AND other.id <> locked.id) AS "isMore",
           (SELECT (${addEndpointJob({ runAt: 'COALESCE(probe_at, now())' })}).id FROM endpoint
            WHERE status_since = now()::timestamptz(3)) AS "jobId"
    FROM locked LEFT JOIN settled ON true`,
);

/** Ends an attempt that was interrupted, which does not count as a failure. */
export const RELEASE_ATTEMPT = statement<Attempt & { error: string }>(
  'release-webhook-attempt',
  `
    WITH released AS (
      UPDATE webhook_deliveries SET leased_until = NULL
      WHERE workspace_id = $workspaceId AND id = $deliveryId AND status = '${DELIVERY_STATUS.pending}' AND attempts = $attempt
      RETURNING id
    )
    UPDATE webhook_attempts SET error = $error FROM released
    WHERE delivery_id = released.id AND number = $attempt`,
);
