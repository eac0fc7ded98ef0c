import { MAX_JOB_ATTEMPTS, SEND_DELIVERIES } from './delivery-job';
import { ALL_EVENTS } from './event-types';
import { GIVE_UP_AFTER_HOURS } from './retry-schedule';
import { DELIVERY_STATUS } from './webhook-delivery.entity';
import { ENDPOINT_STATUS } from './webhook-endpoint.entity';

/** SQL: the time when the server stops retrying a delivery that is added or replayed now. */
export const GIVE_UP_AT = `now() + interval '${GIVE_UP_AFTER_HOURS} hours'`;

/** The events of a paused endpoint are recorded for this long. */
const RECORDED_WHILE_PAUSED = `interval '30 days'`;

/** SQL: whether an endpoint records events. */
const records = (endpoint: string) => `
  (${endpoint}.status IN ('${ENDPOINT_STATUS.ok}', '${ENDPOINT_STATUS.failing}')
   OR ${endpoint}.status = '${ENDPOINT_STATUS.paused}' AND ${endpoint}.status_since > now() - ${RECORDED_WHILE_PAUSED})`;

/** SQL: whether an endpoint of a workspace records events. */
export const hasEndpoints = (workspaceId: string) => `
  EXISTS (SELECT FROM webhook_endpoints AS endpoint
          WHERE endpoint.workspace_id = ${workspaceId} AND ${records('endpoint')})`;

const PAYLOAD = `json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id)`;

/** The flags of a job, by which the jobs of a saturated workspace or endpoint are skipped. */
const FLAGS = `array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL)`;

/**
 * SQL: an expression that adds the job for a row with a workspace_id, an ordering_key and an endpoint_id.
 * @param jobKey at most one job with this key waits
 */
export const addDeliveryJob = ({ runAt = 'now()', jobKey = 'NULL' } = {}) => `
  graphile_worker.add_job('${SEND_DELIVERIES}', ${PAYLOAD},
    run_at => ${runAt}, job_key => ${jobKey}, max_attempts => ${MAX_JOB_ATTEMPTS}, flags => ${FLAGS})`;

/**
 * SQL: a CTE `jobs` that adds the jobs of rows, as {@link addDeliveryJob} does. The statement needs {@link HAS_JOBS}.
 * @param jobKey at most one job with this key waits
 */
export const addDeliveryJobs = (rows: string, jobKey = 'NULL') => `
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('${SEND_DELIVERIES}', ${PAYLOAD}, NULL, now(), ${MAX_JOB_ATTEMPTS}, ${jobKey}, NULL, ${FLAGS})
                           ::graphile_worker.job_spec) AS specs FROM ${rows} HAVING count(*) > 0) AS added, graphile_worker.add_jobs(specs)
  )`;

/** Postgres does not run a CTE that only selects, even if it calls a function, unless the statement refers to it. */
export const HAS_JOBS = '(SELECT count FROM jobs) >= 0';

/**
 * SQL: whether a process of the last release may send a delivery: it goes on with those of a call of which it had one. It
 * finds the payload in the delivery.
 */
const IS_SENT_BY_LAST_RELEASE = `
  endpoint_id IS NULL AND EXISTS (
    SELECT FROM webhook_deliveries AS earlier
    WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL)`;

/** SQL: the receivers of an event: the address of its call, and the endpoints that chose it. */
const RECEIVERS = `
    SELECT event_id, NULL::uuid AS endpoint_id, url, '${DELIVERY_STATUS.pending}' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
           CASE paused.status WHEN '${ENDPOINT_STATUS.paused}' THEN '${DELIVERY_STATUS.held}' ELSE '${DELIVERY_STATUS.pending}' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND ${records('endpoint')} AND (events = '{${ALL_EVENTS}}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))`;

/**
 * SQL: CTEs that add the events of a SELECT, a delivery for each receiver, and the jobs of the deliveries. They belong
 * into the statement that changes the calls, so that all is committed together; its last SELECT needs {@link HAS_JOBS}.
 * An event without a receiver is not added, and the `call.started` of a call is added once.
 *
 * A paused endpoint is locked, so that a replay finds all that was held before it. If its status changes at this moment,
 * the delivery is pending, and its job finds the status.
 * @param source selects workspace_id, conversation_id (null: no order), agent_id (null: about none), type, url (empty: not
 * for the address of a call), is_for_endpoints, data (jsonb), traceparent (or null) and ordinal (the order)
 */
export const addWebhookEvents = (source: string, receivers = RECEIVERS) => `
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (${source}) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = '${ENDPOINT_STATUS.paused}'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (${receivers}
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
                                    status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
           CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
                ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
           type, url, status, CASE status WHEN '${DELIVERY_STATUS.pending}' THEN now() END, ${GIVE_UP_AT}, CASE WHEN ${IS_SENT_BY_LAST_RELEASE} THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type, endpoint_id,
                 receivers.url, status, ordinal
          FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ), ${addDeliveryJobs(`deliveries WHERE status = '${DELIVERY_STATUS.pending}'`)}`;
