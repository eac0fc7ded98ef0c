import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Queryable, type Transaction } from '../database/database';
import type { Statement } from '../database/statement';
import type { IdempotentAttempt, StoredResponse } from '../idempotency/idempotent-attempt';
import type { AcceptanceRow } from './accept-call.sql';
import type { AcceptedCall, NewCall, Refusal } from './accepted-call';
import {
  ACCEPT,
  ACCEPT_IDEMPOTENT,
  CANCEL_QUEUED,
  CANCEL_SUSPENDED,
  CANCEL_UNCONFIRMED,
  CLAIM,
  CONNECT,
  CORRECT_END,
  CORRECT_FAILURE,
  END,
  EXPIRE,
  FAIL,
  FORGET_DISPATCHES,
  HEARTBEAT,
  LOSE_ACCEPTED,
  LOSE_CONNECTED,
  MARK_DISPATCHED,
  REFUSE_DESTINATION,
  type ReportedEnd,
  type ReportedFailure,
  REQUEST_HANG_UP,
  TAKE_UNDISPATCHED,
} from './call-transitions.sql';
import { type ConversationStatus, STATUS } from './call-states';
import {
  FIND_LOST,
  FIND_QUEUED_OF_SUSPENDED,
  FIND_STATUS,
  FIND_UNCLAIMED,
  type FoundCall,
} from './find-calls.sql';
import { WHY_REFUSED } from './may-start-call.sql';

export { REPUBLISH_BATCH } from './call-transitions.sql';
export { type FoundCall, SWEEP_BATCH } from './find-calls.sql';
export type { ReportedEnd, ReportedFailure };

export interface CallOfAgent {
  workspaceId: string;
  agentId: string;
  conversationId: string;
}

/** The life of calls. Methods that return a boolean return false if the call was in another state. */
@Injectable()
export class CallsRepository {
  constructor(private readonly database: Database) {}

  /** The caller publishes the call after the commit. */
  async accept(
    conversationId: string,
    call: NewCall,
    queryable: Queryable = this.database,
  ): Promise<AcceptedCall | Refusal> {
    if (!isUUID(call.agentId)) return { reason: 'no agent' };
    const [row] = await queryable.query(ACCEPT, { ...call, conversationId });
    return this.outcomeOf(row, call, queryable);
  }

  /** Accepts a call and stores the response of the request's attempt with it. */
  async acceptIdempotent(
    conversationId: string,
    call: NewCall,
    { ownedKey }: IdempotentAttempt,
    response: StoredResponse,
  ): Promise<AcceptedCall | Refusal> {
    if (!isUUID(call.agentId)) return { reason: 'no agent' };
    const values = { ...call, ...ownedKey, conversationId, response };
    const [row] = await this.database.query(ACCEPT_IDEMPOTENT, values);
    if (row?.agentIsOn && !row.isOwned) return { reason: 'key lost' };
    return this.outcomeOf(row, call, this.database);
  }

  async markDispatched(conversationIds: string[]): Promise<void> {
    await this.database.query(MARK_DISPATCHED, { conversationIds });
  }

  async forgetDispatches(): Promise<void> {
    await this.database.query(FORGET_DISPATCHES, {});
  }

  /** At most `REPUBLISH_BATCH` calls that are not known to be published. */
  takeUndispatched(): Promise<AcceptedCall[]> {
    return this.database.query(TAKE_UNDISPATCHED, {});
  }

  /** @returns the token of the call, or undefined if the claim is refused */
  async claim(claim: {
    conversationId: string;
    claimId: string;
    workerId: string;
    token: string;
  }): Promise<string | undefined> {
    return (await this.database.query(CLAIM, claim))[0]?.token;
  }

  async connect(event: { conversationId: string; token: string; occurredAt: Date }): Promise<void> {
    await this.database.query(CONNECT, event);
  }

  /** @returns undefined if the runtime does not hold the call */
  async heartbeat(event: { conversationId: string; token: string }) {
    return (await this.database.query(HEARTBEAT, event))[0];
  }

  /** @returns undefined if no runtime holds the call */
  async requestHangUp(call: CallOfAgent) {
    return isCall(call) ? (await this.database.query(REQUEST_HANG_UP, call))[0] : undefined;
  }

  async findStatus(call: CallOfAgent): Promise<ConversationStatus | undefined> {
    return isCall(call) ? (await this.database.query(FIND_STATUS, call))[0]?.status : undefined;
  }

  /** A runtime reports that a call was not connected, perhaps after the call was considered lost. */
  async fail(report: ReportedFailure): Promise<void> {
    if (!(await this.changes(FAIL, report))) await this.database.query(CORRECT_FAILURE, report);
  }

  /** A runtime reports the end of a call that was connected, perhaps after the call was considered lost. */
  async end(report: ReportedEnd): Promise<void> {
    if (!(await this.changes(END, report))) await this.database.query(CORRECT_END, report);
  }

  cancelUnconfirmed(conversationId: string, queryable: Queryable = this.database): Promise<boolean> {
    return this.changes(CANCEL_UNCONFIRMED, { conversationId }, queryable);
  }

  async cancelQueued(call: CallOfAgent, queryable: Queryable = this.database): Promise<boolean> {
    return isCall(call) && this.changes(CANCEL_QUEUED, call, queryable);
  }

  cancelSuspended(conversationId: string): Promise<boolean> {
    return this.changes(CANCEL_SUSPENDED, { conversationId });
  }

  refuseDestination(conversationId: string, transaction: Transaction): Promise<boolean> {
    return this.changes(REFUSE_DESTINATION, { conversationId }, transaction);
  }

  expire(conversationId: string): Promise<boolean> {
    return this.changes(EXPIRE, { conversationId });
  }

  /** Ends a call whose runtime has sent nothing for the length of a lease. */
  lose({ id, status }: FoundCall, leaseSeconds: number): Promise<boolean> {
    const lose = status === STATUS.connected ? LOSE_CONNECTED : LOSE_ACCEPTED;
    return this.changes(lose, { conversationId: id, leaseSeconds });
  }

  /** At most `SWEEP_BATCH` calls, like the other two. */
  findQueuedOfSuspended(): Promise<FoundCall[]> {
    return this.database.query(FIND_QUEUED_OF_SUSPENDED, {});
  }

  findUnclaimed(): Promise<FoundCall[]> {
    return this.database.query(FIND_UNCLAIMED, {});
  }

  findLost(leaseSeconds: number): Promise<FoundCall[]> {
    return this.database.query(FIND_LOST, { leaseSeconds });
  }

  private async outcomeOf(
    row: AcceptanceRow | undefined,
    { workspaceId, workspaceConcurrency }: NewCall,
    queryable: Queryable,
  ): Promise<AcceptedCall | Refusal> {
    if (!row) return { reason: 'no agent' };
    if (!row.agentIsOn) return { reason: 'agent off' };
    if (row.id !== null) return row;
    // A statement of its own: the first one may have waited for locks, and sees the rows as they were before.
    const [why] = await queryable.query(WHY_REFUSED, { workspaceId, workspaceConcurrency });
    if (!why) return { reason: 'no agent' };
    const { reason, creditsPerDay, concurrentCalls } = why;
    return { reason, limit: reason === 'no credits today' ? creditsPerDay : concurrentCalls };
  }

  private async changes<Parameters extends object>(
    statement: Statement<Parameters, { id: string }>,
    values: Parameters,
    queryable: Queryable = this.database,
  ): Promise<boolean> {
    return (await queryable.query(statement, values)).length > 0;
  }
}

const isCall = ({ agentId, conversationId }: CallOfAgent) => isUUID(agentId) && isUUID(conversationId);
