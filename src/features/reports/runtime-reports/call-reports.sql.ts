import { type JsonRows, type Statement, statement } from '../../../platform/database/statement';
import { ENTRY_SOURCE } from '../../do-not-call/do-not-call-entry.entity';
import { listNumbers } from '../../do-not-call/list-numbers.sql';
import { insertEntriesOfRuntimes } from '../../../accounts/audit/audit.sql';
import { addWebhookEvents, HAS_JOBS } from '../../webhooks/add-webhook-event.sql';
import { EVENT_TYPE } from '../../webhooks/event-types';
import { CALL_OF_EVENT_COLUMNS, eventsOfCalls } from '../../calls/model/call-of-event.sql';
import { queueFindings, queueFindingsOf } from '../../calls/model/queue-findings.sql';
import { queueCalls } from '../../calls/model/queue-calls.sql';
import { MAX_WARNINGS } from './call-warnings.entity';
import type { AnalysisFields, ReportedCriteria } from './call-analysis.entity';
import type { Speaker, ToolUse } from './transcript-turn.entity';

/** The number of turns of one call. */
export const MAX_TURNS = 5_000;

/** The size of the texts and tools of one call, as the JSON in which they are sent. */
const MAX_TRANSCRIPT_BYTES = 8_000_000;

/** The hours after the end of a call in which its turns and warnings are accepted. */
export const TRANSCRIPT_HOURS = 24;
/** The days after the end of a call in which other reports are accepted, unless the call is deleted earlier. */
const REPORT_DAYS = 7;

export interface NewTurn {
  sequence: number;
  speaker: Speaker;
  text: string;
  startedAt: Date;
  endedAt: Date | null;
  tool: ToolUse | null;
}

export interface NewTurns {
  id: string;
  token: string;
  turns: NewTurn[];
  /** Whether a text was cut. */
  truncated: boolean;
}

/** Locks the transcripts of calls that may still get turns, so that two batches count the turns one after the other. */
export const LOCK_TRANSCRIPTS = statement<{ calls: JsonRows<Omit<NewTurns, 'turns'>> }, { id: string }>(
  'lock-transcripts',
  `
    INSERT INTO call_transcripts AS transcript (conversation_id, truncated)
    SELECT call.id, call.truncated
    FROM json_to_recordset($calls::json) AS call (id uuid, token uuid, truncated boolean)
    JOIN conversations ON conversations.id = call.id AND conversations.token = call.token
    WHERE ended_at IS NULL OR ended_at > now() - interval '${TRANSCRIPT_HOURS} hours'
    ORDER BY call.id
    ON CONFLICT (conversation_id) DO UPDATE SET truncated = transcript.truncated OR excluded.truncated
    RETURNING conversation_id AS id`,
);

/**
 * Adds the turns that are not stored yet, in their order, up to the bounds. The caller has locked the transcripts.
 */
export const ADD_TURNS = statement<{ calls: JsonRows<Pick<NewTurns, 'id' | 'turns'>> }>(
  'add-transcript-turns',
  `
    WITH turn AS MATERIALIZED (
      SELECT call.id, turn.*, size, row_number() OVER in_order AS place, sum(size) OVER in_order AS size_so_far
      FROM json_to_recordset($calls::json) AS call (id uuid, turns json)
      CROSS JOIN LATERAL (
        SELECT DISTINCT ON (sequence) *
        FROM json_to_recordset(call.turns) AS turn (
          sequence integer, speaker text, text text, "startedAt" timestamptz, "endedAt" timestamptz, tool jsonb)
        ORDER BY sequence
      ) AS turn
      CROSS JOIN LATERAL (SELECT octet_length(jsonb_build_array(turn.text, turn.tool)::text) AS size) AS sized
      WHERE NOT EXISTS (
        SELECT FROM transcript_turns AS known
        WHERE known.conversation_id = call.id AND known.sequence = turn.sequence)
      WINDOW in_order AS (PARTITION BY call.id ORDER BY turn.sequence)
    ), decided AS MATERIALIZED (
      SELECT turn.*, turns + place <= ${MAX_TURNS} AND bytes + size_so_far <= ${MAX_TRANSCRIPT_BYTES} AS is_taken
      FROM turn JOIN call_transcripts ON conversation_id = id
    ), added AS (
      INSERT INTO transcript_turns (conversation_id, sequence, speaker, text, started_at, ended_at, tool)
      SELECT id, sequence, speaker, text, "startedAt", "endedAt", tool FROM decided WHERE is_taken
    ), queued AS (${queueCalls('decided')}
    ), due AS (${queueFindingsOf('decided')}
    )
    UPDATE call_transcripts AS transcript
    SET turns = turns + taken, bytes = bytes + size, truncated = truncated OR is_cut
    FROM (
      SELECT id, (count(*) FILTER (WHERE is_taken))::int AS taken, NOT bool_and(is_taken) AS is_cut,
             COALESCE(sum(size) FILTER (WHERE is_taken), 0)::int AS size
      FROM decided GROUP BY id
    ) AS counted
    WHERE conversation_id = id`,
);

export interface NewWarning {
  id: string;
  token: string;
  code: string;
  text: string;
  occurredAt: Date;
}

/** Adds warnings that are not stored yet, up to the bound. */
export const ADD_WARNINGS = statement<{ calls: JsonRows<NewWarning> }, { id: string }>(
  'add-call-warnings',
  `
    WITH warned AS MATERIALIZED (
      SELECT call.id, code, text, "occurredAt", accepted_at, ${CALL_OF_EVENT_COLUMNS}
      FROM json_to_recordset($calls::json) AS call (id uuid, token uuid, code text, text text, "occurredAt" timestamptz)
      JOIN conversations ON conversations.id = call.id AND conversations.token = call.token
      WHERE ended_at IS NULL OR ended_at > now() - interval '${TRANSCRIPT_HOURS} hours'
    ), stored AS (
      INSERT INTO call_warnings AS known (conversation_id, warnings)
      SELECT id, jsonb_build_array(jsonb_build_object(
               'code', code, 'text', text, 'occurredAt', "occurredAt",
               'at', LEAST(GREATEST("occurredAt", accepted_at), now())))
      FROM warned ORDER BY id
      ON CONFLICT (conversation_id) DO UPDATE SET warnings = known.warnings || excluded.warnings
      WHERE NOT known.warnings @> jsonb_build_array((excluded.warnings->0) - 'at')
        AND jsonb_array_length(known.warnings) < ${MAX_WARNINGS}
      RETURNING conversation_id AS id
    ), ${addWebhookEvents(
      eventsOfCalls(
        'warned JOIN stored USING (id)',
        'call.warning',
        `jsonb_build_object('code', code, 'text', text)`,
      ),
    )}
    SELECT id FROM warned WHERE ${HAS_JOBS}`,
);

export interface NewRecording {
  id: string;
  token: string;
  url: string;
  durationSec: number | null;
}

export interface NewAnalysis {
  id: string;
  token: string;
  fields: AnalysisFields;
  criteria: ReportedCriteria | null;
  optOut: boolean;
}

/**
 * SQL: the days for which a workspace keeps reports; NULL: for ever.
 * @param workspaceId SQL
 */
export type DaysKept = (workspaceId: string) => string;

/**
 * The statements that store reports. How long a workspace keeps them is a setting of a folder above; see {@link
 * setRecordings}.
 */
export abstract class ReportStatements {
  abstract readonly setRecordings: Statement<{ calls: JsonRows<NewRecording> }, { id: string }>;
  abstract readonly setAnalyses: Statement<{ calls: JsonRows<NewAnalysis> }, { id: string }>;
}

/**
 * SQL: the calls of the parameter that reports are still accepted for.
 * @param columns the columns beside the id and the token
 */
const reportedCalls = (columns: string, daysKept: DaysKept) => `
  FROM json_to_recordset($calls::json) AS call (id uuid, token uuid, ${columns})
  JOIN conversations ON conversations.id = call.id AND conversations.token = call.token
  WHERE ended_at IS NULL OR ended_at > now() - interval '1 day' * LEAST(${REPORT_DAYS}, ${daysKept('conversations.workspace_id')})
  ORDER BY call.id`;

/** SQL, on a conflict: the address of the recording. */
const KEPT_URL = `
  CASE WHEN EXISTS (SELECT FROM recording_files WHERE conversation_id = call_recordings.conversation_id)
       THEN call_recordings.url ELSE excluded.url END`;

/** Stores the addresses of recordings. An uploaded recording keeps its address, by which its file is found. */
export const setRecordings = (daysKept: DaysKept): ReportStatements['setRecordings'] =>
  statement(
    'set-call-recordings',
    `
    WITH recorded AS MATERIALIZED (
      SELECT call.id, url, "durationSec", ${CALL_OF_EVENT_COLUMNS}
      ${reportedCalls('url text, "durationSec" double precision', daysKept)}
    ), stored AS (
      INSERT INTO call_recordings (conversation_id, url, duration_sec)
      SELECT id, url, "durationSec" FROM recorded
      ON CONFLICT (conversation_id) DO UPDATE
      SET url = ${KEPT_URL}, duration_sec = excluded.duration_sec, reported_at = now()
      WHERE (call_recordings.url, call_recordings.duration_sec) IS DISTINCT FROM (${KEPT_URL}, excluded.duration_sec)
      RETURNING conversation_id AS id, url AS recording_url, duration_sec
    ), ${addWebhookEvents(
      eventsOfCalls(
        'recorded JOIN stored USING (id)',
        'call.recorded',
        `jsonb_build_object('recording_url', recording_url, 'duration_sec', duration_sec)`,
      ),
    )}
    SELECT id FROM recorded WHERE ${HAS_JOBS}`,
  );

/** SQL: the number of the person in a call; '' where it is withheld. */
const OTHER_PARTY = 'CASE WHEN incoming_claim_id IS NULL THEN to_number ELSE from_number END';

/** The events that a call has for its analyses. */
const MAX_ANALYSIS_EVENTS = 10;

/** The size of the fields that an event has, in bytes, so that its body has 64 KB at most. */
const MAX_EVENT_FIELDS = 61_440;

/** SQL: the fields of an analysis, unless they are too large. */
const ANALYSIS_OF_EVENT = `
  CASE WHEN octet_length(fields::text) <= ${MAX_EVENT_FIELDS} THEN jsonb_build_object('analysis', fields)
       ELSE '{"analysis": null, "truncated": true}' END`;

const IS_AMONG_FIRST_ANALYSES = `
  (SELECT count(*) FROM webhook_events AS event
   WHERE event.conversation_id = stored.id AND event.type = '${EVENT_TYPE['call.analyzed']}') < ${MAX_ANALYSIS_EVENTS}`;

/**
 * Stores analyses. The first one of a call with an opt-out lists the person's number; a number that is taken off
 * the list stays off it. The audit names the runtime and the call, and not the number.
 */
export const setAnalyses = (daysKept: DaysKept): ReportStatements['setAnalyses'] =>
  statement(
    'set-call-analyses',
    `
    WITH known AS MATERIALIZED (
      SELECT call.id, call.fields, call.criteria, call."optOut" AS opt_out, worker_id, agent_version,
             ${OTHER_PARTY} AS phone_number, ${CALL_OF_EVENT_COLUMNS}
      ${reportedCalls('fields jsonb, criteria jsonb, "optOut" boolean', daysKept)}
    ), opted_out AS MATERIALIZED (
      SELECT * FROM known
      WHERE opt_out AND phone_number <> '' AND NOT EXISTS (
        SELECT FROM call_analyses WHERE conversation_id = known.id AND call_analyses.opt_out)
    ), listed AS (
      ${listNumbers(`
        SELECT DISTINCT workspace_id, phone_number, NULL::text AS reason, '${ENTRY_SOURCE.opt_out}' AS source,
               NULL::jsonb AS created_by, NULL::timestamptz AS expires_at
        FROM opted_out`)}
    ), audited AS (
      ${insertEntriesOfRuntimes(
        'do_not_call.added',
        `SELECT *, jsonb_build_object('source', '${ENTRY_SOURCE.opt_out}', 'call_id', id) AS details FROM opted_out`,
      )}
    ), queued AS (${queueCalls('known')}
    ), due AS (${queueFindings('known')}
    ), stored AS (
      INSERT INTO call_analyses (conversation_id, fields, criteria, opt_out)
      SELECT id, fields, criteria, opt_out FROM known
      ON CONFLICT (conversation_id) DO UPDATE
      SET fields = excluded.fields, criteria = excluded.criteria, opt_out = call_analyses.opt_out OR excluded.opt_out, reported_at = now()
      RETURNING conversation_id AS id
    ), ${addWebhookEvents(`
      ${eventsOfCalls('known JOIN stored USING (id)', 'call.analyzed', ANALYSIS_OF_EVENT)} AND ${IS_AMONG_FIRST_ANALYSES}
      UNION ALL ${eventsOfCalls('opted_out JOIN stored USING (id)', 'number.opted_out', `jsonb_build_object('phone_number', phone_number)`)}`)}
    SELECT id FROM stored WHERE ${HAS_JOBS}`,
  );
