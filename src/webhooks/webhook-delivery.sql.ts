import type { Statement } from '../database/sql';
import { addDeliveryJob, GIVE_UP_AT } from './add-webhook-event.sql';
import type { WebhookDelivery } from './webhook-delivery.entity';

/** What an attempt is made of. `attempts` is its number. */
export type TakenDelivery = Pick<
  WebhookDelivery,
  'id' | 'workspaceId' | 'type' | 'url' | 'data' | 'createdAt' | 'attempts' | 'series' | 'failures'
>;

/** Far longer than an attempt takes. */
const LEASE = `interval '30 seconds'`;

/** For so long it is tried, even where most of its day has passed behind an older one of its call. */
const AT_LEAST = `interval '1 hour'`;

const HEAD = `
  SELECT id, workspace_id, ordering_key, next_attempt_at, leased_until FROM webhook_deliveries
  WHERE workspace_id = $1 AND ordering_key = $2 AND status = 'pending'
  ORDER BY sequence LIMIT 1`;

/**
 * $1 workspace, $2 ordering key. Takes the oldest pending delivery for an attempt, unless it is not due, or somebody
 * else has it: of two who come at once, the second one waits for the row and then finds the lease.
 */
export const TAKE_DELIVERY: Statement = {
  name: 'take-webhook-delivery',
  text: `
    WITH head AS (${HEAD}), taken AS (
      UPDATE webhook_deliveries AS delivery
      SET attempts = attempts + 1, leased_until = now() + ${LEASE},
          give_up_at = CASE attempts WHEN 0 THEN GREATEST(give_up_at, now() + ${AT_LEAST}) ELSE give_up_at END
      FROM head
      WHERE delivery.id = head.id AND status = 'pending' AND delivery.next_attempt_at <= now()
        AND (delivery.leased_until IS NULL OR delivery.leased_until <= now())
      RETURNING delivery.id, delivery.workspace_id AS "workspaceId", type, url, data, created_at AS "createdAt",
                attempts, series, failures
    ), begun AS (
      INSERT INTO webhook_attempts (delivery_id, number) SELECT id, attempts FROM taken
    )
    SELECT * FROM taken`,
};

/**
 * $1 workspace, $2 ordering key, $3 seconds to wait at least. Adds the job again for when the oldest pending delivery
 * can be taken, unless another one waits for that moment; nothing, where nothing is pending.
 */
export const RESCHEDULE: Statement = {
  name: 'come-back-to-webhook-deliveries',
  text: `
    SELECT (${addDeliveryJob({ runAt: 'moment', jobKey: `concat_ws(' ', ordering_key, extract(epoch FROM moment))` })}).id
    FROM (${HEAD}) AS head,
         GREATEST(next_attempt_at, leased_until, now() + $3 * interval '1 second') AS moment`,
};

/** It was replayed during the attempt: what the attempt says of failure is not what the new series says. */
const isReplayed = `series <> $9 AND $4 <> 'delivered'`;
const goesOn = `$4 = 'retry' AND give_up_at > now()`;

/**
 * $1 workspace, $2 delivery, $3 number of the attempt, $4 'delivered', 'retry' or 'failed', $5 status code, $6 error,
 * $7 milliseconds it took, $8 seconds until the next one, $9 its series. An attempt whose lease another one has taken
 * over is put down too, but decides nothing.
 */
export const SETTLE_ATTEMPT: Statement = {
  name: 'settle-webhook-attempt',
  text: `
    WITH settled AS (
      UPDATE webhook_attempts AS attempt SET status_code = $5, error = $6, duration_ms = $7
      FROM webhook_deliveries AS delivery
      WHERE delivery.workspace_id = $1 AND delivery.id = $2 AND delivery_id = delivery.id AND number = $3
    )
    UPDATE webhook_deliveries SET
      status = CASE WHEN $4 = 'delivered' THEN 'delivered'
                    WHEN ${isReplayed} OR ${goesOn} THEN 'pending' ELSE 'failed' END,
      next_attempt_at = CASE WHEN ${isReplayed} THEN now()
                             WHEN ${goesOn} THEN LEAST(now() + $8 * interval '1 second', give_up_at) END,
      failures = failures + ($4 <> 'delivered' AND series = $9)::int,
      leased_until = NULL, last_status_code = $5, last_error = $6
    WHERE workspace_id = $1 AND id = $2 AND status = 'pending' AND attempts = $3
    RETURNING status`,
};

/** $1 workspace, $2 delivery, $3 number of the attempt, $4 error. Gives back an attempt that was broken off. */
export const GIVE_BACK_ATTEMPT: Statement = {
  name: 'give-back-webhook-attempt',
  text: `
    WITH returned AS (
      UPDATE webhook_deliveries SET leased_until = NULL
      WHERE workspace_id = $1 AND id = $2 AND status = 'pending' AND attempts = $3
      RETURNING id
    )
    UPDATE webhook_attempts SET error = $4 FROM returned WHERE delivery_id = returned.id AND number = $3`,
};

const restarted = `
  status = 'pending', series = delivery.series + 1, failures = 0, next_attempt_at = now(), give_up_at = ${GIVE_UP_AT}`;

/**
 * $1 workspace, $2 delivery. Begins a new series of attempts, at once. One that was settled keeps to no order any more;
 * one that is pending stays in its place, and those that it waits for are tried at once too. All are locked in their
 * order, so that two replays in one call wait for each other and not each for the other; and the one itself by its id
 * alone, since another replay may give it another ordering key meanwhile. However many replays, one job waits.
 */
export const REPLAY_DELIVERY: Statement = {
  name: 'replay-webhook-delivery',
  text: `
    WITH locked AS (
      SELECT delivery.id, delivery.ordering_key, delivery.status
      FROM webhook_deliveries AS delivery, webhook_deliveries AS replayed
      WHERE delivery.workspace_id = $1 AND replayed.workspace_id = $1 AND replayed.id = $2
        AND (delivery.id = $2 OR delivery.ordering_key = replayed.ordering_key AND delivery.status = 'pending'
                                 AND delivery.sequence < replayed.sequence)
      ORDER BY delivery.sequence FOR UPDATE OF delivery
    ), chosen AS (
      SELECT * FROM locked WHERE id = $2
    ), ahead AS (
      UPDATE webhook_deliveries AS delivery SET ${restarted} FROM locked, chosen
      WHERE chosen.status = 'pending' AND locked.ordering_key = chosen.ordering_key AND locked.id <> chosen.id
        AND delivery.id = locked.id
    ), again AS (
      UPDATE webhook_deliveries AS delivery SET ${restarted},
        ordering_key = CASE chosen.status WHEN 'pending' THEN chosen.ordering_key ELSE chosen.id END
      FROM chosen WHERE delivery.id = chosen.id
      RETURNING delivery.workspace_id, delivery.ordering_key
    )
    SELECT (${addDeliveryJob({ jobKey: `concat('replay ', ordering_key)` })}).id FROM again`,
};
