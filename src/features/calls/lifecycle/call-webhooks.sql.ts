import { hasEndpoints } from '../../webhooks/add-webhook-event.sql';
import { EVENT_TYPE } from '../../webhooks/event-types';
import { CALL_OF_EVENT } from '../model/call-of-event.sql';
import { STATUS } from '../model/call-states';
import { CONVERSATION_DETAIL } from '../model/conversation-detail.sql';

/** Columns that a statement which changes a call returns for {@link callEvents}. */
export const CALL_EVENT_COLUMNS = `
  conversations.id, conversations.workspace_id, conversations.status, COALESCE(request->>'webhook_url', '') AS webhook_url,
  request->>'traceparent' AS traceparent,
  CASE WHEN request->>'webhook_url' <> '' OR ${hasEndpoints('conversations.workspace_id')} THEN ${CONVERSATION_DETAIL} || ${CALL_OF_EVENT} END AS event_data`;

const START = `'${EVENT_TYPE['call.started']}'`;
const END = `'${EVENT_TYPE['call.ended']}'`;
const FAILURE = `'${EVENT_TYPE['call.failed']}'`;

/** The events of a call that has got a status. An end also adds `call.started`, in case that `call.connected` never arrived. */
const EVENTS_OF_STATUS = `
  ('${STATUS.connected}', 1, ${START}), ('${STATUS.disconnected}', 1, ${START}),
  ('${STATUS.disconnected}', 2, ${END}), ('${STATUS.failed}', 2, ${FAILURE})`;

const columns = ({ url, isForEndpoints, data }: { url: string; isForEndpoints: boolean; data: string }) => `
  workspace_id, id AS conversation_id, (event_data->>'assistant_id')::uuid AS agent_id, type, ${url} AS url,
  ${isForEndpoints} AS is_for_endpoints, ${data} AS data, traceparent, ordinal`;

const eventsOf = (calls: string, isForEndpoints: boolean) => `
  SELECT ${columns({ url: 'webhook_url', isForEndpoints, data: 'event_data' })}
  FROM ${calls} JOIN (VALUES ${EVENTS_OF_STATUS}) AS webhook_event (at_status, ordinal, type) ON at_status = status
  WHERE event_data IS NOT NULL`;

/** SQL: the webhook events of changed calls, as the source of `addWebhookEvents`. */
export const callEvents = (calls: string) => eventsOf(calls, true);

/**
 * SQL: the webhook events of corrected calls. The address of the call gets the right events after the wrong ones; an
 * endpoint gets one event, with what it was told before.
 * @param previous the values before
 */
export const correctionEvents = (calls: string, previous: string) => `
  ${eventsOf(calls, false)}
  UNION ALL
  SELECT ${columns({ url: `''`, isForEndpoints: true, data: `event_data || jsonb_build_object('previous', ${previous})` })}
  FROM ${calls}, (VALUES (3, '${EVENT_TYPE['call.corrected']}')) AS webhook_event (ordinal, type)
  WHERE event_data IS NOT NULL`;
