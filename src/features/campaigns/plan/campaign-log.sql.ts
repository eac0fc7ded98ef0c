import { type JsonRows, statement } from '../../../platform/database/statement';
import type { Actor } from '../../../platform/http/actor';
import { CAMPAIGN_STATUS } from './campaign-status';
import { LOG_EVENT, type LogEvent } from './campaign-log-entry.entity';

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

/** The number of lines of a campaign that are kept when it waits and resumes again and again. */
export const MAX_LOG_LINES = 2_000;

/**
 * Logs why a running campaign waits, or that it resumes, once for each change. It deletes the lines about waiting
 * that are older than the newest lines.
 */
export const NOTE_WAITING = statement<
  { campaignId: string; reason: string | null; event: LogEvent; text: string; data: JsonRows<object> },
  { id: string }
>(
  'note-campaign-waiting',
  `
    WITH changed AS (
      UPDATE campaigns SET waiting = $reason::text, waiting_since = CASE WHEN $reason::text IS NOT NULL THEN now() END
      WHERE id = $campaignId AND status = '${CAMPAIGN_STATUS.running}' AND waiting IS DISTINCT FROM $reason::text
      RETURNING id
    ), logged AS (
      INSERT INTO campaign_log (campaign_id, event, text, data)
      SELECT id, $event, $text, $data::jsonb FROM changed
    ), trimmed AS (
      DELETE FROM campaign_log
      WHERE campaign_id IN (SELECT id FROM changed) AND event IN ('${LOG_EVENT.waiting}', '${LOG_EVENT.went_on}')
        AND id <= (SELECT id FROM campaign_log WHERE campaign_id = $campaignId
                   ORDER BY id DESC OFFSET ${MAX_LOG_LINES - 1} LIMIT 1)
    )
    SELECT id FROM changed`,
);
