import { unpreparedStatement } from '../../../platform/database/statement';
import type { CallFilter } from '../filter/call-filter';
import { IS_MATCH, ifGiven } from '../filter/call-filter.sql';
import { CALL_RECORD, type CallRecord } from '../filter/call-record.sql';

/** The number of calls of a batch, which are in memory together. */
export const MAX_FOUND = 500;

/** The number of calls that a batch reads, so that each statement is short however few of them match. */
const MAX_READ = 10_000;

/** A place in the order of an export. */
export interface ExportPlace {
  createdAt: Date;
  id: string;
}

/** The number of characters of the summaries and findings of a batch, before its last one: each has up to 60,000. */
export const MAX_CHARACTERS = 1_000_000;

export interface ExportedCall extends CallRecord {
  campaignName: string | null;
  summary: string;
  /** The findings; null: there are none */
  answers: Record<string, string> | null;
  /** The number of characters of the summaries and findings of the batch, to this one. */
  characters: number;
}

const EXPORTED_CALL = `${CALL_RECORD}, call.summary,
           (SELECT answers FROM call_findings AS found WHERE found.conversation_id = call.id) AS answers,
           (SELECT name FROM campaigns WHERE campaigns.id = call.campaign_id) AS "campaignName"`;

const LENGTH = `(length(summary) + COALESCE(length(answers::text), 0))`;

/** SQL: the first of these exported calls, as many as a batch may have. */
const cutBatch = (calls: string) => `
  SELECT * FROM (
    SELECT found.*, sum(${LENGTH}) OVER (
      ORDER BY "createdAt" DESC, id DESC ROWS UNBOUNDED PRECEDING)::int AS characters
    FROM (${calls} LIMIT ${MAX_FOUND}) AS found
  ) AS batch
  WHERE characters - ${LENGTH} < ${MAX_CHARACTERS} ORDER BY "createdAt" DESC, id DESC`;

type BatchParameters = CallFilter & {
  /** null: from the newest call on */
  afterTime: Date | null;
  afterId: string | null;
};

/**
 * SQL: calls in the order of an export, from a place on. Indexes by time exist for a workspace and for an agent.
 */
const callsAfter = (columns: string) => `
  SELECT ${columns} FROM conversations AS call
  WHERE workspace_id = $workspaceId
    AND ${ifGiven('agentsInScope', 'uuid[]', 'agent_id = ANY ($agentsInScope)')}
    AND ${ifGiven('agentId', 'uuid', 'agent_id = $agentId')}
    AND ${ifGiven('createdFrom', 'timestamptz', 'created_at >= $createdFrom')}
    AND ${ifGiven('createdUntil', 'timestamptz', 'created_at <= $createdUntil')}
    AND ${ifGiven('afterTime', 'timestamptz', '(created_at, id) < ($afterTime, $afterId::uuid)')}
    AND ${ifGiven('afterTime', 'timestamptz', 'created_at <= $afterTime')}
  ORDER BY created_at DESC, id DESC`;

/** Finds the last call that the next batch reads. No row: the batch reads all calls that are left. */
export const FIND_END_OF_BATCH = unpreparedStatement<BatchParameters, ExportPlace>(
  'find-end-of-call-export-batch',
  `${callsAfter('created_at AS "createdAt", id')} OFFSET ${MAX_READ - 1} LIMIT 1`,
);

/**
 * Reads the next calls that match, down to the end of the batch. The end is found before, so that calls which are
 * accepted meanwhile do not move it.
 */
export const READ_BATCH = unpreparedStatement<
  BatchParameters & { endTime: Date | null; endId: string | null },
  ExportedCall
>(
  'read-call-export-batch',
  cutBatch(`
    SELECT ${EXPORTED_CALL}
    FROM (${callsAfter('*')}) AS call JOIN agents ON agents.id = call.agent_id
    WHERE ${IS_MATCH}
      AND ${ifGiven('endTime', 'timestamptz', '(call.created_at, call.id) >= ($endTime, $endId::uuid)')}
      AND ${ifGiven('endTime', 'timestamptz', 'call.created_at >= $endTime')}
    ORDER BY call.created_at DESC, call.id DESC`),
);

/** An export of at most this many calls finds them again for each batch. */
export const MAX_FEW = 5_000;

/** Counts the calls that match, if an index finds them; at most one more than {@link MAX_FEW}. */
export const COUNT_FEW = unpreparedStatement<CallFilter, { count: number }>(
  'count-few-calls-to-export',
  `
    SELECT count(*)::int AS count
    FROM (SELECT FROM conversations AS call WHERE ${IS_MATCH} LIMIT ${MAX_FEW + 1}) AS few`,
);

/** Reads the next calls that match, if they are few. */
export const READ_FEW = unpreparedStatement<BatchParameters, ExportedCall>(
  'read-few-calls-to-export',
  cutBatch(`
    WITH few AS MATERIALIZED (
      SELECT id, created_at FROM conversations AS call
      WHERE ${IS_MATCH} AND ${ifGiven('afterTime', 'timestamptz', '(created_at, id) < ($afterTime, $afterId::uuid)')}
    )
    SELECT ${EXPORTED_CALL}
    FROM (SELECT id FROM few ORDER BY created_at DESC, id DESC LIMIT ${MAX_FOUND}) AS page
    JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
    ORDER BY call.created_at DESC, call.id DESC`),
);
