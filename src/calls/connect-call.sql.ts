import type { Statement } from '../database/sql';
import { addWebhookEvents } from '../webhooks/add-webhook-event.sql';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';

export const CONNECT: Statement = {
  name: 'connect-call',
  text: `
    WITH connected AS (
      UPDATE conversations SET status = 'connected', heartbeat_at = now(),
             connected_at = LEAST(GREATEST($3::timestamptz, accepted_at), now())
      WHERE id = $1 AND token = $2 AND status = 'accepted'
      RETURNING ${CALL_EVENT_COLUMNS}
    )
    ${addWebhookEvents(callEvents('connected'))}`,
};
