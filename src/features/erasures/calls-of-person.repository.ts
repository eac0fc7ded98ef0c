import { Injectable } from '@nestjs/common';
import { CANCELLER } from '../calls/model/call-event.entity';
import { CANCEL_QUEUED } from '../calls/lifecycle/call-transitions.sql';
import { SETTLE } from '../calls/lifecycle/settle-call.sql';
import { Database, type Transaction } from '../../platform/database/database';
import { jsonRows } from '../../platform/database/statement';
import {
  COUNT_CALLS_LEFT,
  ERASE_BATCH,
  ERASE_CALLS,
  FIND_QUEUED_CALLS,
  HAS_IDEMPOTENCY_KEYS,
  KEEP_DO_NOT_CALL,
  LOCK_CALLS_TO_ERASE,
  type PersonOfWorkspace,
  REVOKE_TOKENS,
} from './erase-calls.sql';

export { ERASE_BATCH };

/** Erases the data that the calls of a workspace keep about a person. */
@Injectable()
export class CallsOfPersonRepository {
  constructor(private readonly database: Database) {}

  /** Cancels the queued calls. A call that a runtime claims at this moment goes on. */
  async cancelQueued({ workspaceId, phoneNumber }: PersonOfWorkspace): Promise<void> {
    const queued = await this.database.query(FIND_QUEUED_CALLS, { workspaceId, phoneNumber });
    if (queued.length === 0) return;
    const calls = queued.map((call) => ({ ...call, workspaceId, by: CANCELLER.erasure, ...CANCEL_QUEUED }));
    await this.database.query(SETTLE.waiting, { calls: jsonRows(calls) });
  }

  /** @returns whether the next pass can erase calls */
  async revokeTokens({ workspaceId, phoneNumber }: PersonOfWorkspace): Promise<boolean> {
    return (await this.database.query(REVOKE_TOKENS, { workspaceId, phoneNumber })).length > 0;
  }

  /** @returns how many calls were erased, at most {@link ERASE_BATCH} */
  async erase({ workspaceId, phoneNumber }: PersonOfWorkspace, transaction: Transaction): Promise<number> {
    const locked = await transaction.query(LOCK_CALLS_TO_ERASE, { workspaceId, phoneNumber });
    if (locked.length === 0) return 0;
    await transaction.query(ERASE_CALLS, { ids: locked.map(({ id }) => id), phoneNumber });
    return locked.length;
  }

  async countLeft({ workspaceId, phoneNumber }: PersonOfWorkspace) {
    const [left] = await this.database.query(COUNT_CALLS_LEFT, { workspaceId, phoneNumber });
    return left as { underWay: number; hasEnded: boolean };
  }

  async hasIdempotencyKeys({ workspaceId, phoneNumber }: PersonOfWorkspace): Promise<boolean> {
    const [found] = await this.database.query(HAS_IDEMPOTENCY_KEYS, { workspaceId, phoneNumber });
    return found?.hasKeys ?? false;
  }

  /** @returns whether the number is on the do-not-call list, and stays on it */
  async keepDoNotCall({ workspaceId, phoneNumber }: PersonOfWorkspace): Promise<boolean> {
    const [entry] = await this.database.query(KEEP_DO_NOT_CALL, { workspaceId, phoneNumber });
    return entry?.isKept ?? false;
  }
}
