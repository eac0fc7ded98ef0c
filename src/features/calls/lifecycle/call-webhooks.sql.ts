import { EVENT_TYPE } from '../../webhooks/webhook-delivery.entity';
import { STATUS } from '../model/call-states';
import { CONVERSATION_DETAIL } from '../model/conversation-detail.sql';

/** Columns that a statement which changes a call returns for {@link callEvents}. */
export const CALL_EVENT_COLUMNS = `
  conversations.id, conversations.workspace_id, conversations.status, request->>'webhook_url' AS webhook_url,
  request->>'traceparent' AS traceparent,
  CASE WHEN request->>'webhook_url' <> ''
       THEN ${CONVERSATION_DETAIL} || jsonb_build_object('external_id', COALESCE(request->>'external_id', '')) END AS event_data`;

/**
 * The webhook events of changed calls, as the source of `addWebhookEvents`. An end also adds `call.started`, in case
 * that `call.connected` never arrived; if it did, the duplicate is dropped.
 */
export const callEvents = (calls: string) => `
  SELECT workspace_id, id AS conversation_id, type, webhook_url AS url, event_data AS data, traceparent,
         ordinal
  FROM ${calls} JOIN (VALUES
    ('${STATUS.connected}', 1, '${EVENT_TYPE['call.started']}'), ('${STATUS.disconnected}', 1, '${EVENT_TYPE['call.started']}'),
    ('${STATUS.disconnected}', 2, '${EVENT_TYPE['call.ended']}'), ('${STATUS.failed}', 2, '${EVENT_TYPE['call.failed']}')
  ) AS webhook_event (at_status, ordinal, type) ON at_status = status
  WHERE webhook_url <> ''`;
