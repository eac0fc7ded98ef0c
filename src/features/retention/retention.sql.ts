import { RECIPIENT_STATUS } from '../campaigns/plan/campaign-status';
import { EMPTY_FINDINGS, HAS_FINDINGS } from '../reports/findings/empty-findings.sql';
import { EMPTY_INVOCATION, hasContent } from '../tool-invocations/empty-invocations.sql';
import { statement } from '../../platform/database/statement';
import { MAX_COUNTED } from './workspace-retention.entity';
import { forgetRecordings } from '../webhooks/event-without-person.sql';

export interface RetentionDays {
  transcriptsDays: number | null;
  recordingsDays: number | null;
  callsDays: number | null;
}

export const FIND_RETENTION = statement<{ workspaceId: string }, RetentionDays>(
  'find-retention',
  `SELECT transcripts_days AS "transcriptsDays", recordings_days AS "recordingsDays", calls_days AS "callsDays"
   FROM workspace_retention WHERE workspace_id = $workspaceId`,
);

/**
 * Sets the retention. No row: nothing has changed. A walk begins again at the first call, because reports that a
 * shorter time refused are accepted for a longer one.
 */
export const SET_RETENTION = statement<{ workspaceId: string } & RetentionDays, { revision: number }>(
  'set-retention',
  `
    INSERT INTO workspace_retention AS kept (workspace_id, transcripts_days, recordings_days, calls_days)
    VALUES ($workspaceId, $transcriptsDays, $recordingsDays, $callsDays)
    ON CONFLICT (workspace_id) DO UPDATE
    SET transcripts_days = excluded.transcripts_days, recordings_days = excluded.recordings_days,
        calls_days = excluded.calls_days, transcripts_until = '-infinity', recordings_until = '-infinity',
        revision = kept.revision + 1, changed_at = now()
    WHERE (kept.transcripts_days, kept.recordings_days, kept.calls_days)
      IS DISTINCT FROM (excluded.transcripts_days, excluded.recordings_days, excluded.calls_days)
    RETURNING revision`,
);

export interface KeptWorkspace extends RetentionDays {
  workspaceId: string;
  revision: number;
  /** The time is text, because it may be `-infinity`. */
  transcriptsUntil: string;
  recordingsUntil: string;
}

export const FIND_KEPT_WORKSPACES = statement<object, KeptWorkspace>(
  'find-workspaces-with-retention',
  `
    SELECT workspace_id AS "workspaceId", revision, transcripts_days AS "transcriptsDays",
           recordings_days AS "recordingsDays", calls_days AS "callsDays",
           transcripts_until::text AS "transcriptsUntil", recordings_until::text AS "recordingsUntil"
    FROM workspace_retention
    WHERE transcripts_days IS NOT NULL OR recordings_days IS NOT NULL OR calls_days IS NOT NULL
    ORDER BY workspace_id`,
);

/** The margin is longer than a transaction may take that stores a report, so that none is stored behind a walk. */
const MARGIN = `interval '1 hour'`;

/** SQL: the time before which calls ended that are due, or whose data is due. */
const getCutoff = (days: string) => `now() - ${days} * interval '1 day' - ${MARGIN}`;
const CUTOFF = getCutoff('$days::int');

const leastDays = (columns: string) => (workspaceId: string) => `(
    SELECT LEAST(${columns}) FROM workspace_retention WHERE workspace_retention.workspace_id = ${workspaceId})`;

/**
 * SQL: the days for which a workspace keeps what runtimes report; NULL: for ever.
 * @param workspaceId SQL
 */
export const daysOfRecordings = leastDays('recordings_days, calls_days');
export const daysOfAnalyses = leastDays('calls_days');

/** The number of calls that a step reads, and about the number of turns of transcripts that it deletes with them. */
const MAX_WALKED = 1_000;
const MAX_TURNS = 10_000;

/** The number of calls that a step deletes, so that the rows that other work needs are locked for milliseconds. */
const MAX_DELETED = 200;

/** A place in the order of calls: the next call is after it. */
export interface Place {
  afterTime: string;
  afterId: string;
}

export interface Step extends Place {
  workspaceId: string;
  days: number;
}

/** The progress of a step. Times are text, because the first one is `-infinity`. */
export interface Walked {
  /** The last call; null: there are no more. */
  lastTime: string | null;
  lastId: string | null;
  /** The creation of the first call that is not due yet: it has ended recently, or not at all. */
  firstLeft: string | null;
  /** The number of calls whose data was deleted. */
  count: number;
}

/** SQL: CTEs with the next calls in the order of their creation: `batch`. A transcript has up to 5,000 turns. */
const nextCalls = (limit: number) => `
  found AS MATERIALIZED (
    SELECT call.*, COALESCE((SELECT turns FROM call_transcripts WHERE conversation_id = call.id), 0) AS turns
    FROM (
      SELECT id, created_at, ended_at FROM conversations
      WHERE workspace_id = $workspaceId AND created_at >= $afterTime::timestamptz
        AND (created_at, id) > ($afterTime::timestamptz, $afterId::uuid) AND created_at < ${CUTOFF}
      ORDER BY created_at, id LIMIT ${limit}
    ) AS call
  ), walked AS (
    SELECT *, sum(turns) OVER (ORDER BY created_at, id) - turns AS turns_before FROM found
  ), batch AS MATERIALIZED (
    SELECT *, COALESCE(ended_at < ${CUTOFF}, false) AS is_due FROM walked WHERE turns_before < ${MAX_TURNS}
  ), last AS (
    SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1
  )`;

const PLACE = `
  (SELECT created_at::text FROM last) AS "lastTime", (SELECT id FROM last) AS "lastId",
  (SELECT min(created_at)::text FROM batch WHERE NOT is_due) AS "firstLeft"`;

/** @param more SQL: what else is cleared with it, and whether a row `call` has it */
const clear = (
  table: 'call_transcripts' | 'call_recordings',
  more: { emptied: string; hasMore: string } = { emptied: '', hasMore: 'false' },
) =>
  statement<Step, Walked>(
    `clear-old-${table.replace('_', '-')}`,
    `
      WITH ${nextCalls(MAX_WALKED)}, locked AS MATERIALIZED (
        SELECT id FROM conversations AS call
        WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE is_due))
          AND (EXISTS (SELECT FROM ${table} WHERE conversation_id = call.id) OR ${more.hasMore})
        ORDER BY id FOR UPDATE
      ), ${more.emptied} removed AS (
        DELETE FROM ${table} WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) RETURNING 1
      )
      SELECT ${PLACE}, (SELECT count(*)::int FROM removed) AS count`,
  );

/** Clears transcripts, what was said to tools, and the findings that repeat it. The turns are deleted with their transcript. */
export const CLEAR_TRANSCRIPTS = clear('call_transcripts', {
  emptied: `emptied AS (
        UPDATE tool_invocations SET ${EMPTY_INVOCATION}
        WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) AND ${hasContent()}
      ), findings AS (
        UPDATE call_findings SET ${EMPTY_FINDINGS}
        WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) AND (${HAS_FINDINGS})
      ),`,
  hasMore: `EXISTS (SELECT FROM tool_invocations WHERE conversation_id = call.id AND ${hasContent()})
            OR EXISTS (SELECT FROM call_findings WHERE conversation_id = call.id AND (${HAS_FINDINGS}))`,
});
export const CLEAR_RECORDINGS = clear('call_recordings', {
  emptied: `emptied AS (${forgetRecordings('ARRAY(SELECT id FROM locked)')}),`,
  hasMore: 'false',
});

type Progress = { workspaceId: string; revision: number; until: string };

/**
 * Saves the progress, except in the minute after a change: a statement that began before the change may still
 * store a report.
 */
const saveProgress = (column: 'transcripts_until' | 'recordings_until') =>
  statement<Progress>(
    `save-${column.replace('_', '-')}`,
    `UPDATE workspace_retention SET ${column} = GREATEST(${column}, $until::timestamptz)
     WHERE workspace_id = $workspaceId AND revision = $revision AND changed_at < now() - interval '1 minute'`,
  );

export const SAVE_TRANSCRIPTS_UNTIL = saveProgress('transcripts_until');
export const SAVE_RECORDINGS_UNTIL = saveProgress('recordings_until');

/**
 * SQL: whether a row `call` may be deleted. The last call of a recipient stays while the campaign has to decide
 * about the recipient, or to call again. There is no EXISTS, for which Postgres could read all recipients.
 */
const MAY_BE_DELETED = `
  COALESCE((
    SELECT status NOT IN ('${RECIPIENT_STATUS.calling}', '${RECIPIENT_STATUS.retrying}')
    FROM campaign_recipients WHERE conversation_id = call.id LIMIT 1), true)`;

/** The number of calls for which something is due. */
interface DueCount {
  count: number;
  /** false: there may be more calls than were read. */
  exact: boolean;
}

export interface DueCounts {
  calls: DueCount;
  transcripts: DueCount;
  recordings: DueCount;
}

/**
 * SQL: a {@link DueCount} of the calls that fulfil a condition, the oldest first.
 * @param days null: no calls are due
 */
const countDue = (days: string, condition: string, from = `timestamptz '-infinity'`) => `
  (SELECT json_build_object('count', LEAST(count(*) FILTER (WHERE is_counted), ${MAX_COUNTED}), 'exact', count(*) <= ${MAX_COUNTED})
   FROM (
     SELECT ended_at < ${getCutoff(days)} AND ${condition} AS is_counted
     FROM conversations AS call
     WHERE workspace_id = $workspaceId AND created_at >= ${from} AND created_at < ${getCutoff(days)}
     ORDER BY created_at LIMIT ${MAX_COUNTED} + 1
   ) AS seen)`;

const has = (table: string) => `EXISTS (SELECT FROM ${table} WHERE conversation_id = call.id)`;

const doneUntil = (column: string) =>
  `COALESCE((SELECT ${column} FROM workspace_retention WHERE workspace_id = $workspaceId), '-infinity')`;

/** Counts the data that is due now by these times. A deleted call also loses its transcript and its recording. */
export const COUNT_DUE = statement<{ workspaceId: string } & RetentionDays, DueCounts>(
  'count-due-calls',
  `
    SELECT ${countDue('$callsDays::int', MAY_BE_DELETED)} AS calls,
           ${countDue('LEAST($transcriptsDays::int, $callsDays::int)', has('call_transcripts'), doneUntil('transcripts_until'))} AS transcripts,
           ${countDue('LEAST($recordingsDays::int, $callsDays::int)', has('call_recordings'), doneUntil('recordings_until'))} AS recordings`,
);

export interface DueCalls {
  /** The creation of the first call that was read. */
  firstTime: string | null;
  ids: string[];
}

/**
 * Locks the next calls that are due and may be deleted. A call that another transaction has locked is skipped: a
 * later run finds it again.
 */
export const LOCK_DUE_CALLS = statement<Step, Walked & DueCalls>(
  'lock-calls-to-delete',
  `
    WITH ${nextCalls(MAX_DELETED)}, locked AS MATERIALIZED (
      SELECT id FROM conversations AS call
      WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE is_due))
        AND ${MAY_BE_DELETED}
      ORDER BY id FOR UPDATE SKIP LOCKED
    )
    SELECT ${PLACE}, (SELECT min(created_at)::text FROM batch) AS "firstTime", ARRAY(SELECT id FROM locked) AS ids,
           (SELECT count(*)::int FROM locked) AS count`,
);
