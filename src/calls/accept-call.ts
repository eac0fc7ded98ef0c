import { uuidv7 } from 'uuidv7';
import type { SqlRunner } from '../database/sql';
import type { CallType, CallRequest, Direction } from './conversation.entity';
import { type AcceptedCall, START_CALL } from './start-call.sql';

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
}

/** Why a call was not accepted; nothing was changed then. */
export type Refusal = 'no agent' | 'agent off' | 'no credits';

type StartCallRow = { agentIsOn: boolean } & (AcceptedCall | { id: null });

/** Accepts a call, also within a transaction; it is to be published once that is committed. */
export async function acceptCall(sql: SqlRunner, call: NewCall): Promise<AcceptedCall | Refusal> {
  const [row] = await sql.run<StartCallRow>(START_CALL, [
    call.workspaceId,
    call.agentId,
    uuidv7(),
    call.userId,
    call.campaignId,
    call.callType,
    call.direction,
    call.channel,
    call.toNumber,
    call.request,
    call.ttlSeconds,
  ]);
  if (!row) return 'no agent';
  if (!row.agentIsOn) return 'agent off';
  return row.id === null ? 'no credits' : row;
}
