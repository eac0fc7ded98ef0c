import { hasEndpoints } from '../../webhooks/add-webhook-event.sql';
import { EVENT_TYPE, type EndpointEventType } from '../../webhooks/event-types';

/** SQL, on a row of `conversations`: the fields by which an event names its call. */
export const CALL_OF_EVENT = `
  jsonb_build_object(
    'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
    'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
    'external_id', COALESCE(conversations.request->>'external_id', ''),
    'direction', conversations.direction, 'call_type', conversations.call_type,
    'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, ''))`;

/** SQL: columns of `conversations` for {@link eventsOfCalls}. Where no endpoint listens, `event_call` is NULL. */
export const CALL_OF_EVENT_COLUMNS = `
  conversations.workspace_id, conversations.agent_id, conversations.request->>'traceparent' AS traceparent,
  CASE WHEN ${hasEndpoints('conversations.workspace_id')} THEN ${CALL_OF_EVENT} END AS event_call`;

/**
 * SQL: events about calls for endpoints, as the source of `addWebhookEvents`.
 * @param calls SQL: rows with the `id` of the call and {@link CALL_OF_EVENT_COLUMNS}
 * @param data SQL: what the event says beside the call, as jsonb
 */
export const eventsOfCalls = (calls: string, type: EndpointEventType, data: string) => `
  SELECT workspace_id, id AS conversation_id, agent_id, '${EVENT_TYPE[type]}' AS type, '' AS url, true AS is_for_endpoints,
         event_call || ${data} AS data, traceparent, 1 AS ordinal
  FROM ${calls} WHERE event_call IS NOT NULL`;
