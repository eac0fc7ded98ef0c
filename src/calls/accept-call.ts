import { uuidv7 } from 'uuidv7';
import type { SqlRunner } from '../database/sql';
import type { Attempt } from '../idempotency/attempt';
import { presentStarted } from './calls.presenter';
import type { CallType, CallRequest, Direction } from './conversation.entity';
import { type AcceptedCall, START_CALL, START_KEYED_CALL, WHY_REFUSED } from './start-call.sql';

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

type WorkspaceReason = 'suspended' | 'no credits' | 'no credits today' | 'too many calls';

/** Why a call was not accepted; nothing was changed then. */
export interface Refusal {
  reason: 'no agent' | 'agent off' | 'taken over' | WorkspaceReason;
  /** Credits a day or calls under way, where that is the reason. */
  limit?: number;
}

export const isRefusal = (outcome: AcceptedCall | Refusal): outcome is Refusal => 'reason' in outcome;

type StartCallRow = { agentIsOn: boolean; isMine?: boolean } & (AcceptedCall | { id: null });

/** Accepts a call, also within a transaction; it is to be published once that is committed. */
export async function acceptCall(
  sql: SqlRunner,
  call: NewCall,
  attempt?: Attempt,
): Promise<AcceptedCall | Refusal> {
  const id = uuidv7();
  const values = [
    call.workspaceId,
    call.agentId,
    id,
    call.userId,
    call.campaignId,
    call.callType,
    call.direction,
    call.channel,
    call.toNumber,
    call.request,
    call.ttlSeconds,
    call.workspaceConcurrency,
  ];
  const [row] = attempt
    ? await sql.run<StartCallRow>(START_KEYED_CALL, [
        ...values,
        ...attempt.values,
        attempt.answerWith(presentStarted(id)),
      ])
    : await sql.run<StartCallRow>(START_CALL, values);
  if (!row) return { reason: 'no agent' };
  if (!row.agentIsOn) return { reason: 'agent off' };
  if (row.isMine === false) return { reason: 'taken over' };
  return row.id === null ? whyRefused(sql, call) : row;
}

/** Asked only now, when the statement may have waited for others: what it saw at its start can be out of date. */
async function whyRefused(sql: SqlRunner, call: NewCall): Promise<Refusal> {
  const [row] = await sql.run<{ reason: WorkspaceReason; creditsPerDay: number; concurrentCalls: number }>(
    WHY_REFUSED,
    [call.workspaceId, call.workspaceConcurrency],
  );
  if (!row) return { reason: 'no agent' };
  const { reason, creditsPerDay, concurrentCalls } = row;
  return { reason, limit: reason === 'no credits today' ? creditsPerDay : concurrentCalls };
}
