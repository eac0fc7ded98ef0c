import { type JsonRows, statement } from '../../../platform/database/statement';
import type { AgentAnalysis } from '../../agents/agent-analysis';
import type { CallRequest } from '../../calls/model/call-request';
import { INVOCATION_STATE } from '../../tool-invocations/tool-invocation.entity';
import { SPEAKERS } from '../runtime-reports/transcript-turn.entity';
import type { Findings } from './call-findings.entity';
import type { CallFacts } from './find-values';

const [, PERSON] = SPEAKERS;

/** The number of calls of one transaction. */
export const FOUND_CALLS = 10;

/** The length of the person's words that are searched: those of an hour. Earlier turns are left out. */
const MAX_CHARACTERS = 50_000;

/** The time after which another process computes the findings of a call. It is longer than those of a batch take. */
const LEASE = `interval '60 seconds'`;

/** Takes ended calls from the queue, those that are due longest first. No statement waits here for another one. */
export const TAKE_DUE_FINDINGS = statement<object, { id: string; dueAt: Date }>(
  'take-due-findings',
  `
    WITH taken AS MATERIALIZED (
      SELECT conversation_id FROM due_findings JOIN conversations ON id = conversation_id
      WHERE due_at <= now() AND ended_at IS NOT NULL ORDER BY due_at LIMIT ${FOUND_CALLS}
      FOR UPDATE OF due_findings SKIP LOCKED
    )
    UPDATE due_findings AS due SET due_at = now() + ${LEASE}
    FROM taken WHERE due.conversation_id = taken.conversation_id
    RETURNING due.conversation_id AS id, due_at AS "dueAt"`,
);

export type DueCall = Omit<CallFacts, 'variables'> & {
  id: string;
  analysis: AgentAnalysis;
  request: Partial<CallRequest>;
};

/** Reads the facts about calls that were taken. An erased call, which has no token, has no row. */
export const READ_FACTS_OF_CALLS = statement<{ ids: string[] }, DueCall>(
  'read-facts-for-findings',
  `
    SELECT call.id, version.analysis, call.request, reported.fields, reported.criteria,
           COALESCE((
             SELECT json_object_agg(tool, result) FROM (
               SELECT DISTINCT ON (tool) tool, result FROM tool_invocations
               WHERE conversation_id = call.id AND state = '${INVOCATION_STATE.done}' AND EXISTS (
                 SELECT FROM jsonb_array_elements(analysis -> 'fields') AS field
                 WHERE starts_with(field ->> 'from', 'tool:' || tool || '#'))
               ORDER BY tool, asked_at DESC, id DESC) AS done), '{}') AS results,
           ARRAY(SELECT sequence FROM transcript_turns AS turn WHERE turn.conversation_id = call.id) AS turns,
           ARRAY(
             SELECT text FROM (
               SELECT sequence, text, sum(length(text)) OVER (ORDER BY sequence DESC) - length(text) AS later
               FROM transcript_turns AS turn
               WHERE turn.conversation_id = call.id AND speaker = '${PERSON}'
                 AND analysis @? '$.fields[*].from ? (@ starts with "regex:")') AS said
             WHERE later < ${MAX_CHARACTERS} ORDER BY sequence DESC) AS words
    FROM conversations AS call
    JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
    LEFT JOIN call_analyses AS reported ON reported.conversation_id = call.id
    WHERE call.id = ANY ($ids) AND call.token IS NOT NULL AND version.analysis IS NOT NULL`,
);

export type NewFindings = Findings & {
  answers: Record<string, string>;
  /** null: the analysis has no criteria */
  compliance: string | null;
};

/** A call that was taken; without findings it is only removed from the queue. */
export type FoundCall = { id: string; dueAt: Date } & Partial<NewFindings>;

/**
 * Stores findings, and removes their calls from the queue, unless they are due again by now. An erased call, and one whose
 * findings were emptied, keep none. The text about the criteria is in the place of one that the runtime may have reported.
 */
export const STORE_FINDINGS = statement<{ calls: JsonRows<FoundCall> }>(
  'store-call-findings',
  `
    WITH call AS MATERIALIZED (
      SELECT * FROM json_to_recordset($calls::json) AS call (
        id uuid, "dueAt" timestamptz, fields jsonb, criteria jsonb, answers jsonb, compliance text)
    ), locked AS MATERIALIZED (
      SELECT id, token FROM conversations
      WHERE id IN (SELECT id FROM call) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS MATERIALIZED (
      SELECT conversation_id FROM due_findings AS due JOIN call ON call.id = conversation_id AND "dueAt" = due_at
      WHERE conversation_id IN (SELECT id FROM locked) ORDER BY conversation_id FOR UPDATE OF due SKIP LOCKED
    ), removed AS (
      DELETE FROM due_findings WHERE conversation_id IN (SELECT conversation_id FROM taken)
    ), stored AS (
      INSERT INTO call_findings AS known (conversation_id, fields, criteria, answers)
      SELECT id, fields, criteria, answers
      FROM call JOIN taken ON conversation_id = call.id JOIN locked USING (id)
      WHERE token IS NOT NULL AND fields IS NOT NULL
      ON CONFLICT (conversation_id) DO UPDATE
      SET fields = excluded.fields, criteria = excluded.criteria, answers = excluded.answers, found_at = now()
      WHERE known.fields <> '{}' OR known.criteria <> '{}'
      RETURNING conversation_id
    )
    UPDATE conversations SET process_compliance = compliance
    FROM stored JOIN call ON call.id = conversation_id
    WHERE conversations.id = conversation_id AND compliance <> process_compliance`,
);
