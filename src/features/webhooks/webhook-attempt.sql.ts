import { statement } from '../../platform/database/statement';
import { addDeliveryJob } from './add-webhook-event.sql';
import { MINIMUM_RETRY_HOURS } from './retry-schedule';
import { VERDICT, type Verdict } from './verdict';
import { DELIVERY_STATUS, type WebhookDelivery } from './webhook-delivery.entity';

/** A delivery with an attempt in progress, whose number is `attempts`. */
export type ClaimedDelivery = Pick<
  WebhookDelivery,
  | 'id'
  | 'workspaceId'
  | 'type'
  | 'url'
  | 'data'
  | 'traceparent'
  | 'createdAt'
  | 'attempts'
  | 'series'
  | 'failures'
> & {
  /** The hash of the data that is sent. */
  dataHash: string;
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
  dataHash: string;
  verdict: Verdict;
  statusCode: number | null;
  error: string | null;
  /** JSON; null: there was no answer */
  answerHeaders: string | null;
  answerBody: string | null;
  durationMs: number;
  delaySeconds: number;
}

const HASH = 'md5(data::text)';

/** The lease is far longer than an attempt takes. */
const LEASE = `interval '30 seconds'`;

const OLDEST_PENDING = `
  SELECT id, workspace_id, ordering_key, next_attempt_at, leased_until FROM webhook_deliveries
  WHERE workspace_id = $workspaceId AND ordering_key = $orderingKey AND status = '${DELIVERY_STATUS.pending}'
  ORDER BY sequence LIMIT 1`;

/**
 * Starts an attempt of the oldest pending delivery. No row: it is not due, or it is leased. If two processes claim it
 * at once, the second one waits for the row and then finds the lease.
 */
export const CLAIM_DELIVERY = statement<OrderingKey, ClaimedDelivery>(
  'claim-webhook-delivery',
  `
    WITH oldest AS (${OLDEST_PENDING}), claimed AS (
      UPDATE webhook_deliveries AS delivery
      SET attempts = attempts + 1, leased_until = now() + ${LEASE},
          give_up_at = CASE attempts WHEN 0 THEN GREATEST(give_up_at, now() + interval '${MINIMUM_RETRY_HOURS} hours')
                       ELSE give_up_at END
      FROM oldest
      WHERE delivery.id = oldest.id AND status = '${DELIVERY_STATUS.pending}' AND delivery.next_attempt_at <= now()
        AND (delivery.leased_until IS NULL OR delivery.leased_until <= now())
      RETURNING delivery.id, delivery.workspace_id AS "workspaceId", type, url, data, traceparent,
                created_at AS "createdAt", attempts, series, failures, ${HASH} AS "dataHash"
    ), started AS (
      INSERT INTO webhook_attempts (delivery_id, number) SELECT id, attempts FROM claimed
    )
    SELECT * FROM claimed`,
);

/**
 * Adds the job again for the time at which the oldest pending delivery can be claimed, unless a job waits for that
 * time already. It does nothing if no delivery is pending.
 */
export const RESCHEDULE = statement<OrderingKey & { minimumSeconds: number }>(
  'reschedule-webhook-deliveries',
  `
    SELECT (${addDeliveryJob({ runAt: 'run_at', jobKey: `concat_ws(' ', ordering_key, extract(epoch FROM run_at))` })}).id
    FROM (${OLDEST_PENDING}) AS oldest,
         GREATEST(next_attempt_at, leased_until, now() + $minimumSeconds * interval '1 second') AS run_at`,
);

/**
 * SQL: whether the delivery was replayed during the attempt, so that its failure does not count for the new
 * series.
 */
const IS_REPLAYED = `series <> $series AND $verdict <> '${VERDICT.delivered}'`;

const IS_RETRIED = `$verdict = '${VERDICT.retry}' AND give_up_at > now()`;

/**
 * Stores the result of an attempt. If another attempt has taken over the lease, the delivery does not change. The
 * answer is not kept if the person was erased meanwhile: it may repeat what was sent.
 */
export const SETTLE_ATTEMPT = statement<Result, Pick<WebhookDelivery, 'status'>>(
  'settle-webhook-attempt',
  `
    WITH locked AS MATERIALIZED (
      SELECT id, ${HASH} = $dataHash AS is_unchanged FROM webhook_deliveries
      WHERE workspace_id = $workspaceId AND id = $deliveryId FOR NO KEY UPDATE
    ), settled AS (
      UPDATE webhook_attempts AS attempt SET
        status_code = $statusCode, error = $error, duration_ms = $durationMs,
        answer_headers = CASE WHEN is_unchanged THEN $answerHeaders::jsonb END,
        answer_body = CASE WHEN is_unchanged THEN $answerBody END
      FROM locked WHERE delivery_id = locked.id AND number = $attempt
    )
    UPDATE webhook_deliveries AS delivery SET
      status = CASE WHEN $verdict = '${VERDICT.delivered}' THEN '${DELIVERY_STATUS.delivered}'
                    WHEN ${IS_REPLAYED} OR ${IS_RETRIED} THEN '${DELIVERY_STATUS.pending}' ELSE '${DELIVERY_STATUS.failed}' END,
      next_attempt_at = CASE WHEN ${IS_REPLAYED} THEN now()
                             WHEN ${IS_RETRIED} THEN LEAST(now() + $delaySeconds * interval '1 second', give_up_at) END,
      given_up_at = CASE WHEN NOT ($verdict = '${VERDICT.delivered}' OR ${IS_REPLAYED} OR ${IS_RETRIED}) THEN now() END,
      failures = failures + ($verdict <> '${VERDICT.delivered}' AND series = $series)::int,
      leased_until = NULL, last_status_code = $statusCode, last_error = $error
    FROM locked
    WHERE delivery.id = locked.id AND status = '${DELIVERY_STATUS.pending}' AND attempts = $attempt
    RETURNING status`,
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
