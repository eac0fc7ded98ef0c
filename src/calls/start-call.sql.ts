import { AGENT_SNAPSHOT } from '../agents/agent-snapshot.sql';
import { statement } from '../database/statement';
import { IS_OWNED } from '../idempotency/idempotency.sql';
import type { OwnedKey, StoredResponse } from '../idempotency/idempotent-attempt';
import { addSpending, SPENT_TODAY } from '../workspaces/spending.sql';
import type { CallRequest, CallType, Conversation, Direction } from './conversation.entity';

/** Credits that a call holds until it ends. */
export const HOLD = 1;

export interface NewCall {
  workspaceId: string;
  agentId: string;
  userId: string;
  campaignId: string | null;
  callType: CallType;
  direction: Direction;
  /** null: the agent's type decides. */
  channel: string | null;
  /** E.164, or '' for a web call without one. */
  toNumber: string;
  request: CallRequest;
  /** How long a runtime may take to claim it. */
  ttlSeconds: number;
  /** How many calls of a workspace may be under way, this one included, where it has no quota of its own. */
  workspaceConcurrency: number;
}

export type WorkspaceRefusal = 'suspended' | 'no credits' | 'no credits today' | 'too many calls';

/** What the message to the runtime is made of. */
export type AcceptedCall = Pick<
  Conversation,
  | 'id'
  | 'workspaceId'
  | 'userId'
  | 'agentId'
  | 'agentVersion'
  | 'agentSnapshot'
  | 'campaignId'
  | 'callType'
  | 'direction'
  | 'channel'
  | 'toNumber'
  | 'fromNumber'
  | 'request'
  | 'createdAt'
  | 'expiresAt'
> & {
  /** Milliseconds until it expires, by the database's clock. */
  timeLeftMs: number;
};

/** The columns of an {@link AcceptedCall}, under the names it has them. */
export const ACCEPTED_CALL_COLUMNS = `
  id, workspace_id AS "workspaceId", user_id AS "userId", agent_id AS "agentId", agent_version AS "agentVersion",
  agent_snapshot AS "agentSnapshot", campaign_id AS "campaignId", call_type AS "callType", direction, channel,
  to_number AS "toNumber", from_number AS "fromNumber", request, created_at AS "createdAt", expires_at AS "expiresAt",
  ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "timeLeftMs"`;

/** What a request with an Idempotency-Key adds: the call is its attempt's alone, and comes with the answer. */
type Keyed = Record<'lock' | 'isMine' | 'answer' | 'column', string>;

const HAS_CREDITS = `workspaces.credits >= ${HOLD}`;

const HAS_CREDITS_TODAY = `
  (workspaces.quotas_credits_per_day IS NULL OR ${SPENT_TODAY} + ${HOLD} <= workspaces.quotas_credits_per_day)`;

/** How many calls of a workspace may be under way. @param concurrency the installation's default */
const concurrentCalls = (concurrency: string) =>
  `COALESCE(workspaces.quotas_concurrent_calls, ${concurrency}::integer)`;

/** Whether a row of `workspaces` may start another call. */
export const mayStartCall = (concurrency: string) => `
  workspaces.suspended_at IS NULL AND ${HAS_CREDITS} AND ${HAS_CREDITS_TODAY}
  AND workspaces.calls_under_way < ${concurrentCalls(concurrency)}`;

/**
 * Accepts a call: the hold, the conversation with the agent's frozen snapshot and the ledger row, or nothing of them.
 * No row: there is no such agent. A row without an id: the agent is off (`agentIsOn` false), or the workspace may not
 * start a call now; `WHY_REFUSED` says why.
 *
 * One statement rather than a transaction of several: a round trip and a fifth of the time, and the workspace's
 * row, which every call of the workspace wants, is locked for the commit alone.
 */
const startCallSql = ({ lock, isMine, answer, column }: Keyed) => `
    WITH ${lock} agent AS (
      SELECT agents.id, agents.type, agents.status, agents.deployment_version, phone_numbers.number,
             ${AGENT_SNAPSHOT} AS snapshot
      FROM agents LEFT JOIN phone_numbers ON phone_numbers.agent_id = agents.id
      WHERE agents.workspace_id = $workspaceId AND agents.id = $agentId AND agents.deleted_at IS NULL
    ), held AS (
      UPDATE workspaces SET credits = credits - ${HOLD}, calls_under_way = calls_under_way + 1,
             ${addSpending(`${HOLD}`)}
      WHERE id = $workspaceId AND ${mayStartCall('$workspaceConcurrency')} AND (SELECT status FROM agent)${isMine}
      RETURNING id
    ), accepted AS (
      INSERT INTO conversations (
        id, workspace_id, agent_id, user_id, campaign_id, call_type, direction, channel, to_number, from_number,
        request, agent_version, agent_snapshot, hold, created_at, last_publish_at, expires_at)
      SELECT $id, $workspaceId, agent.id, $userId, $campaignId, $callType, $direction,
             COALESCE($channel, CASE agent.type WHEN 'chat' THEN 'chat' ELSE 'voice' END),
             $toNumber, COALESCE(agent.number, ''), $request, agent.deployment_version, agent.snapshot, ${HOLD},
             now(), now(), now() + $ttlSeconds * interval '1 second'
      FROM agent, held
      RETURNING ${ACCEPTED_CALL_COLUMNS}
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT $workspaceId, id, 'hold', -${HOLD} FROM accepted
    )${answer}
    SELECT agent.status AS "agentIsOn"${column}, accepted.* FROM agent LEFT JOIN accepted ON true`;

type StartCallParameters = NewCall & { id: string };
type StartCallRow = { agentIsOn: boolean } & (AcceptedCall | { id: null });

export const START_CALL = statement<StartCallParameters, StartCallRow>(
  'start-call',
  startCallSql({ lock: '', isMine: '', answer: '', column: '' }),
);

/** A row without an id whose `isMine` is false: another attempt owns the key now. */
export const START_IDEMPOTENT_CALL = statement<
  StartCallParameters & OwnedKey & { response: StoredResponse },
  StartCallRow & { isMine: boolean }
>(
  'start-idempotent-call',
  startCallSql({
    lock: `attempt AS (SELECT FROM idempotency_keys WHERE ${IS_OWNED} AND answer IS NULL FOR UPDATE),`,
    isMine: ' AND EXISTS (SELECT FROM attempt)',
    answer: `, answered AS (UPDATE idempotency_keys SET answer = $response FROM accepted WHERE ${IS_OWNED})`,
    column: ', EXISTS (SELECT FROM attempt) AS "isMine"',
  }),
);

/** Why the workspace may not start a call. */
export const WHY_REFUSED = statement<
  Pick<NewCall, 'workspaceId' | 'workspaceConcurrency'>,
  { reason: WorkspaceRefusal; creditsPerDay: number; concurrentCalls: number }
>(
  'why-call-refused',
  `
    SELECT CASE WHEN suspended_at IS NOT NULL THEN 'suspended'
                WHEN NOT ${HAS_CREDITS} THEN 'no credits'
                WHEN NOT ${HAS_CREDITS_TODAY} THEN 'no credits today'
                ELSE 'too many calls' END AS reason,
           quotas_credits_per_day AS "creditsPerDay", ${concurrentCalls('$workspaceConcurrency')} AS "concurrentCalls"
    FROM workspaces WHERE id = $workspaceId`,
);
