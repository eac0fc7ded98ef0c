import { CONVERSATION_DETAIL } from './conversation-detail.sql';

/** What a statement that changes a call returns of it, for {@link callEvents}; nobody listens without a `webhook_url`. */
export const CALL_EVENT_COLUMNS = `
  conversations.id, conversations.workspace_id, conversations.status, request->>'webhook_url' AS webhook_url,
  CASE WHEN request->>'webhook_url' <> ''
       THEN ${CONVERSATION_DETAIL} || jsonb_build_object('external_id', request->>'external_id') END AS event_data`;

/**
 * The events that the owners of these calls are told, as the source of `addWebhookEvents`. An ending tells of the start
 * too, in case that the runtime's `call.connected` never came; where it did, the second one is dropped.
 */
export const callEvents = (calls: string) => `
  SELECT workspace_id, id AS conversation_id, type, webhook_url AS url, event_data AS data, ordinal
  FROM ${calls} JOIN (VALUES
    ('connected', 1, 'call.started'), ('disconnected', 1, 'call.started'),
    ('disconnected', 2, 'call.ended'), ('failed', 2, 'call.failed')
  ) AS told (told_at, ordinal, type) ON told_at = status
  WHERE webhook_url <> ''`;
