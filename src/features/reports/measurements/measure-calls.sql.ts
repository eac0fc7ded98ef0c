import { QUARTER, getStart } from '../../calls/counts/call-rollups.sql';
import { type JsonRows, statement } from '../../../platform/database/statement';
import { CALL_OF_EVENT_COLUMNS, eventsOfCalls } from '../../calls/model/call-of-event.sql';
import { addWebhookEvents, HAS_JOBS, hasEndpoints } from '../../webhooks/add-webhook-event.sql';
import { EVENT_TYPE } from '../../webhooks/event-types';
import { TRANSCRIPT_HOURS } from '../runtime-reports/call-reports.sql';
import type { AnalysisFields } from '../runtime-reports/call-analysis.entity';
import type { Amounts, MeasuredTurn } from './call-amounts';
import type { MeasurementKey } from './call-measurement.entity';
import { NO_CAMPAIGN } from './measurement-rollup.entity';

/** The number of calls that one transaction measures. Each may have 5,000 turns. */
export const MEASURED_CALLS = 50;

/**
 * Takes ended calls from the queue, oldest first. No statement waits here for another one.
 * `ofListened`: only those of workspaces with an endpoint for webhooks
 */
export const TAKE_CALLS_TO_MEASURE = statement<{ ofListened: boolean }, { id: string }>(
  'take-calls-to-measure',
  `
    WITH due AS MATERIALIZED (
      SELECT id FROM calls_to_measure JOIN conversations ON id = conversation_id
      WHERE ended_at IS NOT NULL AND (NOT $ofListened OR EXISTS (SELECT FROM webhook_endpoints))
        AND (NOT $ofListened OR ${hasEndpoints('conversations.workspace_id')})
      ORDER BY calls_to_measure.created_at LIMIT ${MEASURED_CALLS}
    ), kept AS MATERIALIZED (
      SELECT id FROM conversations WHERE id IN (SELECT id FROM due) ORDER BY id FOR KEY SHARE SKIP LOCKED
    ), taken AS MATERIALIZED (
      SELECT conversation_id FROM calls_to_measure
      WHERE conversation_id IN (SELECT id FROM kept) ORDER BY conversation_id FOR UPDATE SKIP LOCKED
    )
    DELETE FROM calls_to_measure WHERE conversation_id IN (SELECT conversation_id FROM taken)
    RETURNING conversation_id AS id`,
);

export interface ReportedCall extends MeasurementKey {
  id: string;
  turns: MeasuredTurn[] | null;
  fields: AnalysisFields | null;
  before: Amounts | null;
  /** Whether an endpoint records events of the workspace. */
  isListened: boolean;
}

/** Reads what was reported about calls that the transaction has taken. */
export const READ_CALLS_TO_MEASURE = statement<{ ids: string[] }, ReportedCall>(
  'read-calls-to-measure',
  `
    SELECT call.id, call.workspace_id AS "workspaceId", call.agent_id AS "agentId",
           call.agent_version AS "agentVersion", COALESCE(call.campaign_id, '${NO_CAMPAIGN}') AS "campaignId",
           ${getStart(QUARTER, 'call.created_at')} AS "startsAt", fields, amounts AS before,
           ${hasEndpoints('call.workspace_id')} AS "isListened",
           (SELECT json_agg(json_build_array(speaker, started_at, ended_at) ORDER BY sequence)
            FROM transcript_turns AS turn WHERE turn.conversation_id = call.id) AS turns
    FROM conversations AS call
    LEFT JOIN call_analyses AS analysis ON analysis.conversation_id = call.id
    LEFT JOIN call_measurements AS measured ON measured.conversation_id = call.id
    WHERE call.id = ANY ($ids)`,
);

/** Adds the event of calls whose transcript is complete, once. The events are kept for a day at least. */
export const ADD_TRANSCRIPT_EVENTS = statement<{ ids: string[] }>(
  'add-transcript-events',
  `
    WITH complete AS MATERIALIZED (
      SELECT conversations.id, turns, truncated, ${CALL_OF_EVENT_COLUMNS}
      FROM conversations JOIN call_transcripts ON conversation_id = conversations.id
      WHERE conversations.id = ANY ($ids) AND turns >= transcript_turns
        AND ended_at > now() - interval '${TRANSCRIPT_HOURS} hours' AND NOT EXISTS (
          SELECT FROM webhook_events AS event
          WHERE event.conversation_id = conversations.id AND event.type = '${EVENT_TYPE['call.transcript_ready']}')
    ), ${addWebhookEvents(
      eventsOfCalls(
        'complete',
        'call.transcript_ready',
        `jsonb_build_object('turns', turns, 'truncated', truncated)`,
      ),
    )}
    SELECT WHERE ${HAS_JOBS}`,
);

export interface MeasuredCall extends MeasurementKey {
  id: string;
  amounts: Amounts;
}

const KEY_COLUMNS = 'workspace_id, starts_at, agent_id, agent_version, campaign_id';
const KEY_FIELDS = '"workspaceId", "startsAt", "agentId", "agentVersion", "campaignId"';
const KEY_TYPES =
  '"workspaceId" uuid, "startsAt" timestamptz, "agentId" uuid, "agentVersion" integer, "campaignId" uuid';

export const STORE_MEASUREMENTS = statement<{ calls: JsonRows<MeasuredCall> }>(
  'store-call-measurements',
  `
    INSERT INTO call_measurements (conversation_id, ${KEY_COLUMNS}, amounts)
    SELECT id, ${KEY_FIELDS}, amounts
    FROM json_to_recordset($calls::json) AS call (id uuid, ${KEY_TYPES}, amounts jsonb)
    ON CONFLICT (conversation_id) DO UPDATE SET amounts = excluded.amounts`,
);

export interface MeasurementChange extends MeasurementKey {
  measure: string;
  amount: number;
}

/** Adds to the rollups. All who change them do so in the order of the rows. @returns the rows that are 0 now */
export const ADD_MEASUREMENTS = statement<
  { changes: JsonRows<MeasurementChange> },
  Omit<MeasurementChange, 'amount'>
>(
  'add-to-measurement-rollups',
  `
    WITH added AS (
      INSERT INTO measurement_rollups AS rollup (${KEY_COLUMNS}, measure, amount)
      SELECT ${KEY_FIELDS}, measure, sum(amount)
      FROM json_to_recordset($changes::json) AS change (${KEY_TYPES}, measure text, amount bigint)
      GROUP BY ${KEY_FIELDS}, measure
      ORDER BY ${KEY_FIELDS}, measure COLLATE "C"
      ON CONFLICT (${KEY_COLUMNS}, measure) DO UPDATE SET amount = rollup.amount + excluded.amount
      RETURNING *
    )
    SELECT workspace_id AS "workspaceId", starts_at AS "startsAt", agent_id AS "agentId",
           agent_version AS "agentVersion", campaign_id AS "campaignId", measure
    FROM added WHERE amount = 0`,
);

/** Deletes rows that the transaction has made 0. */
export const DELETE_EMPTY_MEASUREMENTS = statement<{ rows: JsonRows<Omit<MeasurementChange, 'amount'>> }>(
  'delete-empty-measurement-rollups',
  `
    DELETE FROM measurement_rollups AS rollup
    USING json_to_recordset($rows::json) AS empty (${KEY_TYPES}, measure text)
    WHERE rollup.workspace_id = empty."workspaceId" AND rollup.starts_at = empty."startsAt"
      AND rollup.agent_id = empty."agentId" AND rollup.agent_version = empty."agentVersion"
      AND rollup.campaign_id = empty."campaignId" AND rollup.measure = empty.measure AND amount = 0`,
);
