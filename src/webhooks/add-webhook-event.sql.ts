import type { Statement } from '../database/sql';

/** The job that delivers what is pending under one ordering key. */
export const DELIVER_WEBHOOKS = 'webhooks.deliver';

/** Never its last: what a delivery may be tried is its own matter, and a job that gave up would leave it to nobody. */
const MAX_ATTEMPTS = 32_767;

/** An attempt that fails a day after the delivery was added, or was to be replayed, is the last one. */
export const GIVE_UP_AT = `now() + interval '1 day'`;

/**
 * An expression that adds the job for a row that has a workspace_id and an ordering_key. Its flag is the workspace.
 *
 * @param jobKey of those that wait under one key there is one
 */
export const addDeliveryJob = ({ runAt = 'now()', jobKey = 'NULL' } = {}) => `
  graphile_worker.add_job('${DELIVER_WEBHOOKS}',
    json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key),
    run_at => ${runAt}, job_key => ${jobKey}, max_attempts => ${MAX_ATTEMPTS}, flags => ARRAY[workspace_id::text])`;

/**
 * A statement, or the body of a CTE, that adds a delivery for each row of a SELECT, and the job that delivers it.
 * Inside the statement that changes a call, so that both come to be or neither; a call's start is told once.
 *
 * @param source a SELECT of workspace_id, conversation_id (null: the event stands for itself), type, url, data (jsonb:
 *   the payload's `data`) and ordinal, by which the events of one conversation are ordered
 */
export const addWebhookEvents = (source: string) => `
  INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, ordering_key, type, url, data, give_up_at)
  SELECT id, workspace_id, conversation_id, COALESCE(conversation_id, id), type, url, data, ${GIVE_UP_AT}
  FROM (SELECT gen_random_uuid() AS id, source.* FROM (${source}) AS source) AS event
  ORDER BY ordinal
  ON CONFLICT DO NOTHING
  RETURNING id, (${addDeliveryJob()}).id AS job_id`;

/** The payload's `data` of a test event. */
export const TEST_DATA = { message: 'A test event. Others carry the conversation here.' };

/** $1 workspace, $2 url. */
export const ADD_TEST_EVENT: Statement = {
  name: 'add-webhook-test-event',
  text: addWebhookEvents(`
    SELECT $1::uuid AS workspace_id, NULL::uuid AS conversation_id, 'webhook.test' AS type, $2::text AS url,
           '${JSON.stringify(TEST_DATA)}'::jsonb AS data, 1 AS ordinal`),
};
