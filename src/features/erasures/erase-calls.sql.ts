import { personNumber } from '../calls/model/call-parties.sql';
import { inStatus, IS_IN_PROGRESS, STATUS } from '../calls/model/call-states';
import { EMPTY_FINDINGS } from '../reports/findings/empty-findings.sql';
import { EMPTY_INVOCATION } from '../tool-invocations/empty-invocations.sql';
import { withoutPerson } from '../webhooks/event-without-person.sql';
import { statement } from '../../platform/database/statement';

export interface PersonOfWorkspace {
  workspaceId: string;
  phoneNumber: string;
}

const PERSON = personNumber('conversations');

/** SQL: whether the person in a call has the number. The other side is a line of the workspace. */
const IS_PERSON = `${PERSON} = $phoneNumber`;

/** SQL: the person's calls that have ended, by the index of the number. */
const endedCalls = (condition = 'true') => `
  SELECT id FROM conversations
  WHERE workspace_id = $workspaceId AND NOT ${IS_IN_PROGRESS} AND right(${PERSON}, 4) = right($phoneNumber, 4)
    AND ${IS_PERSON} AND ${condition}`;

const isOnTheWay = `workspace_id = $workspaceId AND ${IS_IN_PROGRESS} AND ${IS_PERSON}`;

/**
 * The number of calls that one statement changes, and about the number of turns of their transcripts that it
 * deletes.
 */
export const ERASE_BATCH = 100;
const MAX_TURNS = 10_000;

/** The number of calls is that which a pass erases. */
const REVOKE_BATCH = 500;

/** Finds the calls that no runtime has claimed. */
export const FIND_QUEUED_CALLS = statement<PersonOfWorkspace, { id: string; agentId: string }>(
  'find-queued-calls-of-person',
  `SELECT id, agent_id AS "agentId" FROM conversations
   WHERE ${isOnTheWay} AND ${inStatus(STATUS.queued)} ORDER BY id LIMIT ${ERASE_BATCH}`,
);

/**
 * Takes the tokens of calls that have ended, so that no report about them is stored any more. A statement that has
 * read the token before may still store something: it is there when a later pass erases the calls.
 */
export const REVOKE_TOKENS = statement<PersonOfWorkspace, { id: string }>(
  'revoke-tokens-of-person',
  `
    UPDATE conversations SET token = NULL
    WHERE id = ANY (ARRAY(
      SELECT id FROM conversations
      WHERE id = ANY (ARRAY(SELECT id FROM (${endedCalls('token IS NOT NULL')}) AS call LIMIT ${REVOKE_BATCH}))
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING id`,
);

/**
 * Locks calls about which no more reports are stored. A call is skipped while a report about it is being stored, so
 * the next statement sees all that was stored.
 */
export const LOCK_CALLS_TO_ERASE = statement<PersonOfWorkspace, { id: string }>(
  'lock-calls-to-erase',
  `
    WITH sized AS MATERIALIZED (
      SELECT id, sum(COALESCE(turns, 0)) OVER (ORDER BY id) - COALESCE(turns, 0) AS turns_before
      FROM (SELECT id FROM (${endedCalls('token IS NULL')}) AS ended ORDER BY id LIMIT ${ERASE_BATCH}) AS call
      LEFT JOIN call_transcripts ON conversation_id = id
    )
    SELECT id FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM sized WHERE turns_before < ${MAX_TURNS})) AND token IS NULL
    ORDER BY id FOR UPDATE SKIP LOCKED`,
);

/** SQL: a text as it is compared with an address, in which it may be encoded: its letters and digits of ASCII. */
const folded = (text: string) => `regexp_replace(lower(${text}), '%[0-9a-f]{2}|[^0-9a-z]', '', 'g')`;

/** The shortest folded text that is looked for in an address. */
const MIN_FOLDED_LENGTH = 3;

/** SQL: whether the address of a delivery has a text of the person in it. The address of an endpoint is about no call. */
const IS_TELLING = `
  endpoint_id IS NULL AND EXISTS (
    SELECT FROM unnest(ARRAY[
      $phoneNumber, request->>'external_id', request->>'memory_id', request->>'customer_name']) AS known
    WHERE length(${folded('known')}) >= ${MIN_FOLDED_LENGTH} AND position(${folded('known')} IN ${folded('url')}) > 0)`;

/**
 * Erases the data of locked calls and of the rows that belong to them. Webhooks that are still to be sent are sent
 * without the person, but not to an address that tells who it is. A trigger forgets what the receivers have answered.
 * Deliveries are locked in the order of a replay.
 */
export const ERASE_CALLS = statement<{ ids: string[]; phoneNumber: string }>(
  'erase-calls',
  `
    WITH transcripts AS (
      DELETE FROM call_transcripts WHERE conversation_id = ANY ($ids)
    ), recordings AS (
      DELETE FROM call_recordings WHERE conversation_id = ANY ($ids)
    ), warnings AS (
      DELETE FROM call_warnings WHERE conversation_id = ANY ($ids)
    ), invocations AS (
      UPDATE tool_invocations SET ${EMPTY_INVOCATION} WHERE conversation_id = ANY ($ids)
    ), analyses AS (
      UPDATE call_analyses SET fields = '{}', criteria = NULL WHERE conversation_id = ANY ($ids)
    ), findings AS (
      UPDATE call_findings SET ${EMPTY_FINDINGS} WHERE conversation_id = ANY ($ids)
    ), delivery AS MATERIALIZED (
      SELECT delivery.id, ${IS_TELLING} AS is_telling
      FROM webhook_deliveries AS delivery JOIN conversations AS call ON call.id = conversation_id
      WHERE conversation_id = ANY ($ids) ORDER BY sequence FOR UPDATE OF delivery
    ), deleted AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM delivery WHERE is_telling))
    ), emptied AS (
      UPDATE webhook_deliveries SET is_erased = true, data = ${withoutPerson('data')}
      WHERE id = ANY (ARRAY(SELECT id FROM delivery WHERE NOT is_telling))
    ), events AS (
      UPDATE webhook_events SET data = ${withoutPerson('data')} WHERE conversation_id = ANY ($ids)
    )
    UPDATE conversations
    SET to_number = CASE WHEN incoming_claim_id IS NULL THEN '' ELSE to_number END,
        from_number = CASE WHEN incoming_claim_id IS NULL THEN from_number ELSE '' END,
        request = '{}', summary = '', process_compliance = ''
    WHERE id = ANY ($ids)`,
);

export const COUNT_CALLS_LEFT = statement<PersonOfWorkspace, { underWay: number; hasEnded: boolean }>(
  'count-calls-of-person',
  `SELECT (SELECT count(*)::int FROM conversations WHERE ${isOnTheWay}) AS "underWay",
          EXISTS (${endedCalls()}) AS "hasEnded"`,
);

/**
 * Whether keys of the workspace contain the number. Keys are texts of the client. A repeated request must find its
 * key, so the erasure waits until the keys are deleted, a day after their request.
 */
export const HAS_IDEMPOTENCY_KEYS = statement<PersonOfWorkspace, { hasKeys: boolean }>(
  'has-idempotency-keys-of-person',
  `
    SELECT EXISTS (
      SELECT FROM idempotency_keys
      WHERE workspace_id = $workspaceId
        AND (position(ltrim($phoneNumber, '+') IN key) > 0 OR position(ltrim($phoneNumber, '+') IN answer::text) > 0)
    ) AS "hasKeys"`,
);

/** Keeps an entry that has not expired, without the reason, which is free text. */
export const KEEP_DO_NOT_CALL = statement<PersonOfWorkspace, { isKept: boolean }>(
  'keep-do-not-call-entry',
  `
    WITH expired AS (
      DELETE FROM do_not_call
      WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber AND expires_at <= now()
    ), kept AS (
      UPDATE do_not_call SET reason = NULL
      WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber
        AND (expires_at IS NULL OR expires_at > now())
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM kept) AS "isKept"`,
);
