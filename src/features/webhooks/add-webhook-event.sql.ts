import { DELIVER_WEBHOOKS, MAX_JOB_ATTEMPTS } from './delivery-job';
import { GIVE_UP_AFTER_HOURS } from './retry-schedule';

/** SQL: the time when the server stops retrying a delivery that is added or replayed now. */
export const GIVE_UP_AT = `now() + interval '${GIVE_UP_AFTER_HOURS} hours'`;

/**
 * SQL: an expression that adds the job for a row with a workspace_id and an ordering_key. Its flag is the
 * workspace.
 * @param jobKey at most one job with this key waits
 */
export const addDeliveryJob = ({ runAt = 'now()', jobKey = 'NULL' } = {}) => `
  graphile_worker.add_job('${DELIVER_WEBHOOKS}',
    json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key),
    run_at => ${runAt}, job_key => ${jobKey}, max_attempts => ${MAX_JOB_ATTEMPTS}, flags => ARRAY[workspace_id::text])`;

const JOB = `
  ('${DELIVER_WEBHOOKS}', json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key), NULL, now(),
   ${MAX_JOB_ATTEMPTS}, NULL, NULL, ARRAY[workspace_id::text])::graphile_worker.job_spec`;

/**
 * SQL: CTEs that add a delivery for each row of a SELECT, and their jobs. They belong into the statement that
 * changes the calls, so that all is committed together; its last SELECT needs {@link HAS_JOBS}. The `call.started`
 * of a call is added once.
 * @param source selects workspace_id, conversation_id (null: no order), type, url, data (jsonb), traceparent (or
 * null) and ordinal (the order)
 */
export const addWebhookEvents = (source: string) => `
  events AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, ordering_key, type, url, data, traceparent, give_up_at)
    SELECT id, workspace_id, conversation_id, COALESCE(conversation_id, id), type, url, data, traceparent,
           ${GIVE_UP_AT}
    FROM (SELECT gen_random_uuid() AS id, source.* FROM (${source}) AS source) AS event
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key
  ), jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(${JOB}) AS specs FROM events HAVING count(*) > 0) AS added, graphile_worker.add_jobs(specs)
  )`;

/** Postgres does not run a CTE that only selects, even if it calls a function, unless the statement refers to it. */
export const HAS_JOBS = '(SELECT count FROM jobs) >= 0';
