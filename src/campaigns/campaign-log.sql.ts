import { type JsonRows, statement } from '../database/statement';
import type { Actor } from '../http/actor';
import type { LogEvent } from './campaign-log-entry.entity';

/** SQL: a CTE that writes one line for each campaign. @param ids SQL: rows with the id of a campaign */
export const logging = (event: LogEvent, text: string, ids: string) => `
  logged AS (
    INSERT INTO campaign_log (campaign_id, event, text) SELECT id, '${event}', '${text}' FROM ${ids}
  )`;

export interface LogLine {
  campaignId: string;
  event: LogEvent;
  actor: JsonRows<Actor> | null;
  text: string;
  data: JsonRows<object>;
}

export const ADD_LOG_LINE = statement<LogLine>(
  'add-campaign-log-line',
  `INSERT INTO campaign_log (campaign_id, event, actor, text, data)
   VALUES ($campaignId, $event, $actor::jsonb, $text, $data::jsonb)`,
);

/** Notes why a campaign waits, or that it goes on, once for each change. */
export const NOTE_WAITING = statement<
  { campaignId: string; reason: string | null; event: LogEvent; text: string; data: JsonRows<object> },
  { id: string }
>(
  'note-campaign-waiting',
  `
    WITH changed AS (
      UPDATE campaigns SET waiting = $reason::text, waiting_since = CASE WHEN $reason::text IS NOT NULL THEN now() END
      WHERE id = $campaignId AND waiting IS DISTINCT FROM $reason::text
      RETURNING id
    ), logged AS (
      INSERT INTO campaign_log (campaign_id, event, text, data)
      SELECT id, $event, $text, $data::jsonb FROM changed
    )
    SELECT id FROM changed`,
);
