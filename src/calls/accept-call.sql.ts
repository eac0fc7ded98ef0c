import { AGENT_SNAPSHOT } from '../agents/agent-snapshot.sql';
import { AGENT_TYPE } from '../agents/agent-types';
import { statement } from '../database/statement';
import { IS_OWNED } from '../idempotency/idempotency.sql';
import { ENTRY_KIND } from '../workspaces/credit-entry.entity';
import { addSpending } from '../workspaces/spending.sql';
import type { AcceptedCall } from './accepted-call';
import { DEFAULT_CHANNEL } from './call-states';
import { mayStartCall } from './may-start-call.sql';
import { HOLD } from './pricing';

/** The columns of an {@link AcceptedCall}, as its properties. */
export const ACCEPTED_CALL_COLUMNS = `
  id, workspace_id AS "workspaceId", user_id AS "userId", agent_id AS "agentId", agent_version AS "agentVersion",
  agent_snapshot AS "agentSnapshot", campaign_id AS "campaignId", call_type AS "callType", direction, channel,
  to_number AS "toNumber", from_number AS "fromNumber", request, created_at AS "createdAt", expires_at AS "expiresAt",
  ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "timeLeftMs"`;

export type AcceptanceRow = { agentIsOn: boolean } & (AcceptedCall | { id: null });

type IdempotentParts = Record<'lock' | 'condition' | 'response' | 'column', string>;

const WITHOUT_RESPONSE: IdempotentParts = { lock: '', condition: '', response: '', column: '' };

/** For a request with an Idempotency-Key: only while its attempt owns the key, and with the response. */
export const WITH_RESPONSE: IdempotentParts = {
  lock: `attempt AS (SELECT FROM idempotency_keys WHERE ${IS_OWNED} AND answer IS NULL FOR UPDATE),`,
  condition: ' AND EXISTS (SELECT FROM attempt)',
  response: `, answered AS (UPDATE idempotency_keys SET answer = $response FROM accepted WHERE ${IS_OWNED})`,
  column: ', EXISTS (SELECT FROM attempt) AS "isOwned"',
};

/**
 * A statement that takes the hold and inserts the conversation with the agent's snapshot and the ledger row, or changes
 * nothing. One statement saves round trips, and locks the workspace's row, which each call of the workspace needs, for
 * the commit only.
 */
export const acceptCall = <Parameters extends object, Row extends AcceptanceRow>(
  name: string,
  idempotent = WITHOUT_RESPONSE,
) =>
  statement<Parameters, Row>(
    name,
    `
    WITH ${idempotent.lock} agent AS (
      SELECT agents.id, agents.type, agents.status, agents.deployment_version, phone_numbers.number,
             ${AGENT_SNAPSHOT} AS snapshot
      FROM agents LEFT JOIN phone_numbers ON phone_numbers.agent_id = agents.id
      WHERE agents.workspace_id = $workspaceId AND agents.id = $agentId AND agents.deleted_at IS NULL
    ), held AS (
      UPDATE workspaces SET credits = credits - ${HOLD}, calls_under_way = calls_under_way + 1,
             ${addSpending(`${HOLD}`)}
      WHERE id = $workspaceId AND ${mayStartCall('$workspaceConcurrency')}
        AND (SELECT status FROM agent)${idempotent.condition}
      RETURNING id
    ), accepted AS (
      INSERT INTO conversations (
        id, workspace_id, agent_id, user_id, campaign_id, call_type, direction, channel, to_number, from_number,
        request, agent_version, agent_snapshot, hold, created_at, last_publish_at, expires_at)
      SELECT $conversationId, $workspaceId, agent.id, $userId, $campaignId, $callType, $direction,
             COALESCE($channel, CASE agent.type WHEN '${AGENT_TYPE.chat}' THEN '${DEFAULT_CHANNEL.chat}'
                                ELSE '${DEFAULT_CHANNEL.voice}' END),
             $toNumber, COALESCE(agent.number, ''), $request, agent.deployment_version, agent.snapshot, ${HOLD},
             now(), now(), now() + $ttlSeconds * interval '1 second'
      FROM agent, held
      RETURNING ${ACCEPTED_CALL_COLUMNS}
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT $workspaceId, id, '${ENTRY_KIND.hold}', -${HOLD} FROM accepted
    )${idempotent.response}
    SELECT agent.status AS "agentIsOn"${idempotent.column}, accepted.* FROM agent LEFT JOIN accepted ON true`,
  );
