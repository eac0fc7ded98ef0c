import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../database/database';
import type { IdempotentAttempt } from '../idempotency/idempotent-attempt';
import { presentStarted } from './calls.presenter';
import {
  type AcceptedCall,
  type NewCall,
  START_CALL,
  START_IDEMPOTENT_CALL,
  WHY_REFUSED,
  type WorkspaceRefusal,
} from './start-call.sql';

/** Why a call was not accepted; nothing was changed then. */
export interface Refusal {
  reason: 'no agent' | 'agent off' | 'taken over' | WorkspaceRefusal;
  /** Credits a day or calls in progress, where that is the reason. */
  limit?: number;
}

export const isRefusal = (outcome: AcceptedCall | Refusal): outcome is Refusal => 'reason' in outcome;

/** Accepts a call, also within a transaction; it is to be published once that is committed. */
export async function acceptCall(
  database: Queryable,
  newCall: NewCall,
  attempt?: IdempotentAttempt,
): Promise<AcceptedCall | Refusal> {
  const call = { ...newCall, id: uuidv7() };
  const [row] = attempt
    ? await database.query(START_IDEMPOTENT_CALL, {
        ...call,
        ...attempt.ownedKey,
        response: attempt.responseOf(presentStarted(call.id)),
      })
    : await database.query(START_CALL, call);
  if (!row) return { reason: 'no agent' };
  if (!row.agentIsOn) return { reason: 'agent off' };
  if ('isMine' in row && !row.isMine) return { reason: 'taken over' };
  return row.id === null ? whyRefused(database, call) : row;
}

/** Asked only now, when the statement may have waited for others: what it saw at its start can be out of date. */
async function whyRefused(
  database: Queryable,
  { workspaceId, workspaceConcurrency }: NewCall,
): Promise<Refusal> {
  const [row] = await database.query(WHY_REFUSED, { workspaceId, workspaceConcurrency });
  if (!row) return { reason: 'no agent' };
  const { reason, creditsPerDay, concurrentCalls } = row;
  return { reason, limit: reason === 'no credits today' ? creditsPerDay : concurrentCalls };
}
