import { uuidv7 } from 'uuidv7';
import type { SqlRunner } from '../database/sql';
import type { Attempt } from '../idempotency/attempt';
import { presentStarted } from './calls.presenter';
import type { CallType, CallRequest, Direction } from './conversation.entity';
import { type AcceptedCall, HAS_CREDITS, START_CALL, START_KEYED_CALL } from './start-call.sql';

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
  /** How many calls of the workspace may be under way, this one included. */
  workspaceConcurrency: number;
}

/** Why a call was not accepted; nothing was changed then. */
export type Refusal = 'no agent' | 'agent off' | 'no credits' | 'too many calls' | 'taken over';

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
  if (!row) return 'no agent';
  if (!row.agentIsOn) return 'agent off';
  if (row.isMine === false) return 'taken over';
  return row.id === null ? missing(sql, call.workspaceId) : row;
}

/** Asked only now, when the statement may have waited for others: what it saw at its start can be out of date. */
async function missing(sql: SqlRunner, workspaceId: string): Promise<Refusal> {
  const [workspace] = await sql.run<{ hasCredits: boolean }>(HAS_CREDITS, [workspaceId]);
  return workspace?.hasCredits ? 'too many calls' : 'no credits';
}
