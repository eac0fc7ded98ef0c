import { DELIVER_WEBHOOKS, MAX_JOB_ATTEMPTS } from './delivery-job';
import { GIVE_UP_AFTER_HOURS } from './retry-schedule';

/** When the attempts of a delivery end that is added or replayed now. */
export const GIVE_UP_AT = `now() + interval '${GIVE_UP_AFTER_HOURS} hours'`;

/**
 * An expression that adds the job for a row with a workspace_id and an ordering_key. Its flag is the workspace.
 * @param jobKey at most one job with this key waits
 */
export const addDeliveryJob = ({ runAt = 'now()', jobKey = 'NULL' } = {}) => `
  graphile_worker.add_job('${DELIVER_WEBHOOKS}',
    json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key),
    run_at => ${runAt}, job_key => ${jobKey}, max_attempts => ${MAX_JOB_ATTEMPTS}, flags => ARRAY[workspace_id::text])`;

/**
 * A statement, or the body of a CTE, that adds a delivery and its job for each row of a SELECT. It belongs into the
 * statement that changes a call, so that both are committed together. The `call.started` of a call is added once.
 * @param source selects workspace_id, conversation_id (null: no order), type, url, data (jsonb) and ordinal (the order)
 */
export const addWebhookEvents = (source: string) => `
  INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, ordering_key, type, url, data, give_up_at)
  SELECT id, workspace_id, conversation_id, COALESCE(conversation_id, id), type, url, data, ${GIVE_UP_AT}
  FROM (SELECT gen_random_uuid() AS id, source.* FROM (${source}) AS source) AS event
  ORDER BY ordinal
  ON CONFLICT DO NOTHING
  RETURNING id, (${addDeliveryJob()}).id AS job_id`;
