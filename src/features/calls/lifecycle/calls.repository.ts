import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Queryable, type Transaction } from '../../../platform/database/database';
import { type JsonRows, jsonRows, type Statement } from '../../../platform/database/statement';
import {
  BatchKeys,
  ONE_WORKSPACE_AT_ONCE,
  StatementBatcher,
} from '../../../platform/database/statement-batcher';
import { ACCEPT, type Acceptance, type CallsToAccept, type CallToAccept } from './accept-calls.sql';
import type { Actor } from '../../../platform/http/actor';
import type { AcceptedCall } from '../model/accepted-call';
import { CANCELLER } from '../model/call-event.entity';
import {
  CANCEL_LISTED,
  CANCEL_QUEUED,
  CANCEL_SUSPENDED,
  CANCEL_UNCONFIRMED,
  type Claim,
  CLAIM_REFUSAL,
  type ClaimRefusal,
  ClaimStatements,
  CONNECT,
  type DecidedClaim,
  CORRECT_END,
  CORRECT_FAILURE,
  END,
  EXPIRE,
  FAIL,
  FAIL_UNJOINED,
  CLEAR_DISPATCHES,
  HEARTBEAT,
  type Heartbeat,
  type HeldCall,
  LOSE_ACCEPTED,
  LOSE_CONNECTED,
  MARK_DISPATCHED,
  type ReportedConnection,
  type ReportedJoin,
  type ReportedListening,
  REQUEST_HANG_UP,
  SET_JOIN,
  SET_LISTENING,
  TAKE_UNDISPATCHED,
} from './call-transitions.sql';
import { CallMetrics } from './call-metrics';
import { toCallRequest } from '../model/call-request';
import { type ConversationStatus, STATUS } from '../model/call-states';
import { CORRECT, type Correction } from './correct-call.sql';
import { type CallToEnd, type Ended, SETTLE } from './settle-call.sql';
import type { ReportedEnd, ReportedFailure } from './settlement.sql';
import {
  type AwaitedCall,
  FIND_AWAITED,
  FIND_LOST,
  FIND_QUEUED_OF_SUSPENDED,
  FIND_STATUS,
  FIND_UNCLAIMED,
  FIND_UNJOINED,
  type FoundCall,
} from './find-calls.sql';

export { REPUBLISH_BATCH } from './call-transitions.sql';
export { type FoundCall, SWEEP_BATCH } from './find-calls.sql';
export type { Acceptance, AwaitedCall, CallToAccept, ClaimRefusal, ReportedEnd, ReportedFailure };

export interface CallOfAgent {
  workspaceId: string;
  agentId: string;
  conversationId: string;
}

/** A statement that changes calls, and returns those that it has changed. */
type CallsStatement<Call extends object, Row extends { id: string }> = Statement<
  { calls: JsonRows<Call> },
  Row
>;

/**
 * Reads and changes the states of calls. Methods that return a boolean return false if the call was in another
 * state.
 */
@Injectable()
export class CallsRepository {
  private readonly keys = new BatchKeys();
  private readonly claims: StatementBatcher<Claim, DecidedClaim | undefined>;
  private readonly joins = this.createBatcher<ReportedJoin, { id: string }>(SET_JOIN);
  private readonly listenings = this.createBatcher<ReportedListening, { id: string }>(SET_LISTENING);
  private readonly connections = this.createBatcher(CONNECT);
  private readonly heartbeats = this.createBatcher<Heartbeat, HeldCall>(HEARTBEAT, {
    maxItemsOfKey: Infinity,
  });
  private readonly ends = this.createBatcher(SETTLE.unlocked);
  private readonly waitingEnds = new StatementBatcher(
    this.createRunner(SETTLE.waiting),
    ONE_WORKSPACE_AT_ONCE,
  );

  constructor(
    private readonly database: Database,
    private readonly metrics: CallMetrics,
    { claim }: ClaimStatements,
  ) {
    this.claims = this.createBatcher(claim);
  }

  /**
   * Decides on calls of any workspaces, but leaves out those of a workspace whose row is locked.
   * @returns the decisions in the order of the calls
   */
  acceptUnlocked(calls: CallToAccept[], workspaceConcurrency: number): Promise<Acceptance[]> {
    return this.decide(ACCEPT.unlocked, calls, workspaceConcurrency, this.database);
  }

  /**
   * Decides on calls, and waits for locks.
   * @returns the decisions in the order of the calls
   */
  accept(
    calls: CallToAccept[],
    workspaceConcurrency: number,
    queryable: Queryable = this.database,
  ): Promise<Acceptance[]> {
    return this.decide(ACCEPT.waiting, calls, workspaceConcurrency, queryable);
  }

  async markDispatched(conversationIds: string[]): Promise<void> {
    await this.database.query(MARK_DISPATCHED, { conversationIds });
  }

  async clearDispatches(): Promise<void> {
    await this.database.query(CLEAR_DISPATCHES, {});
  }

  /** Takes at most `REPUBLISH_BATCH` calls that are not marked as published. */
  async takeUndispatched(): Promise<AcceptedCall[]> {
    const calls = await this.database.query(TAKE_UNDISPATCHED, {});
    return calls.map((call) => ({ ...call, request: toCallRequest(call.request) }));
  }

  /** Decides on a claim. Cancels the call if its number is on the do-not-call list. */
  async claim(claim: Claim): Promise<{ token: string; acceptedAt: Date } | { refusal: ClaimRefusal }> {
    const decided = await this.claims.add(claim.id, claim);
    if (decided?.waitedSeconds != null) this.metrics.observeClaim(decided.waitedSeconds);
    if (decided?.token && decided.acceptedAt) return { token: decided.token, acceptedAt: decided.acceptedAt };
    const refusal = decided?.refusal ?? CLAIM_REFUSAL.claimed;
    if (refusal === CLAIM_REFUSAL.do_not_call) await this.endOne({ id: claim.id, ...CANCEL_LISTED });
    return { refusal };
  }

  /** @returns false if the call cannot be joined: it is no web call, is connected or over, or for too long a time */
  async setJoin(report: ReportedJoin): Promise<boolean> {
    return (await this.joins.add(report.id, report)) !== undefined;
  }

  /** @returns false if the address is not stored: the call is over, has another token, or the time is too long */
  async setListening(report: ReportedListening): Promise<boolean> {
    return (await this.listenings.add(report.id, report)) !== undefined;
  }

  async connect(report: ReportedConnection): Promise<void> {
    const connected = await this.connections.add(report.id, report);
    if (connected) this.metrics.observeConnection(connected.waitedSeconds);
  }

  /** @returns undefined if the runtime does not hold the call */
  heartbeat(heartbeat: Heartbeat): Promise<HeldCall | undefined> {
    return this.heartbeats.add(heartbeat.id, heartbeat);
  }

  /** @returns undefined if no runtime holds the call */
  async requestHangUp(call: CallOfAgent, actor: Actor, transaction: Transaction) {
    return isCall(call) ? (await transaction.query(REQUEST_HANG_UP, { ...call, actor }))[0] : undefined;
  }

  async findStatus(call: CallOfAgent, transaction: Transaction): Promise<ConversationStatus | undefined> {
    return isCall(call) ? (await transaction.query(FIND_STATUS, call))[0]?.status : undefined;
  }

  /** Fails a call that was not connected, as its runtime reports, perhaps after the call was considered lost. */
  async fail(report: ReportedFailure): Promise<void> {
    if (!(await this.endShared({ ...report, ...FAIL })))
      await this.correct({ ...report, ...CORRECT_FAILURE });
  }

  /** Ends a call that was connected, as its runtime reports, perhaps after the call was considered lost. */
  async end(report: ReportedEnd): Promise<void> {
    if (!(await this.endShared({ ...report, ...END }))) await this.correct({ ...report, ...CORRECT_END });
  }

  async cancelUnconfirmed(id: string, transaction?: Transaction): Promise<boolean> {
    const call = { id, ...CANCEL_UNCONFIRMED };
    return transaction ? this.endOne(call, transaction) : this.endShared(call);
  }

  async cancelQueued(
    { conversationId: id, ...call }: CallOfAgent,
    actor: Actor,
    transaction: Transaction,
  ): Promise<boolean> {
    if (!isCall({ conversationId: id, ...call })) return false;
    return this.endOne({ id, ...call, by: CANCELLER.api, actor, ...CANCEL_QUEUED }, transaction);
  }

  /** @returns the ids of the cancelled calls: those that no runtime had claimed */
  async cancelQueuedOfCampaign(
    ids: string[],
    agent: Omit<CallOfAgent, 'conversationId'>,
    transaction: Transaction,
  ): Promise<string[]> {
    const calls = ids.map((id) => ({ id, ...agent, by: CANCELLER.campaign, ...CANCEL_QUEUED }));
    const ended = this.countEnds(await transaction.query(SETTLE.waiting, { calls: jsonRows(calls) }));
    return ended.map(({ id }) => id);
  }

  cancelSuspended(id: string): Promise<boolean> {
    return this.endOne({ id, ...CANCEL_SUSPENDED });
  }

  expire(id: string): Promise<boolean> {
    return this.endOne({ id, ...EXPIRE });
  }

  /** Ends a call whose runtime has sent nothing for the length of a lease. */
  endLost({ id, status }: FoundCall, leaseSeconds: number): Promise<boolean> {
    return this.endOne({
      id,
      leaseSeconds,
      ...(status === STATUS.connected ? LOSE_CONNECTED : LOSE_ACCEPTED),
    });
  }

  /** Ends a web call that nobody has joined in time. */
  failUnjoined(id: string): Promise<boolean> {
    return this.endOne({ id, ...FAIL_UNJOINED });
  }

  findAwaited(ids: string[]): Promise<AwaitedCall[]> {
    return this.database.query(FIND_AWAITED, { ids });
  }

  /** Finds at most `SWEEP_BATCH` calls, as the next three methods do. */
  findQueuedOfSuspended(): Promise<FoundCall[]> {
    return this.database.query(FIND_QUEUED_OF_SUSPENDED, {});
  }

  findUnclaimed(): Promise<FoundCall[]> {
    return this.database.query(FIND_UNCLAIMED, {});
  }

  findLost(leaseSeconds: number): Promise<FoundCall[]> {
    return this.database.query(FIND_LOST, { leaseSeconds });
  }

  findUnjoined(): Promise<FoundCall[]> {
    return this.database.query(FIND_UNJOINED, {});
  }

  private async decide(
    statement: Statement<CallsToAccept, Acceptance>,
    calls: CallToAccept[],
    workspaceConcurrency: number,
    queryable: Queryable,
  ): Promise<Acceptance[]> {
    const rows = await queryable.query(statement, { calls: jsonRows(calls), workspaceConcurrency });
    return sortLike(calls, rows) as Acceptance[];
  }

  /**
   * Makes a batcher for the reports of runtimes, which share statements. The reports of one call are applied one
   * after the other. Heartbeats may share one, because they are all the same.
   */
  private createBatcher<Call extends { id: string }, Row extends { id: string }>(
    statement: CallsStatement<Call, Row>,
    { maxItemsOfKey = 1 } = {},
  ) {
    return new StatementBatcher(this.createRunner(statement), { maxItemsOfKey, keys: this.keys });
  }

  private createRunner<Call extends { id: string }, Row extends { id: string }>(
    statement: CallsStatement<Call, Row>,
  ) {
    return async (calls: Call[]) =>
      sortLike(calls, await this.database.query(statement, { calls: jsonRows(calls) }));
  }

  /** Ends a call in a statement with others. If its workspace is locked, it waits apart from those of other workspaces. */
  private async endShared(call: CallToEnd): Promise<boolean> {
    let ended = await this.ends.add(call.id, call);
    if (ended?.lockedWorkspaceId) ended = await this.waitingEnds.add(ended.lockedWorkspaceId, call);
    return this.countEnds(ended ? [ended] : []).length > 0;
  }

  private async endOne(call: CallToEnd, queryable: Queryable = this.database): Promise<boolean> {
    return this.countEnds(await queryable.query(SETTLE.waiting, { calls: jsonRows([call]) })).length > 0;
  }

  private async correct(call: Correction): Promise<void> {
    await this.database.query(CORRECT, { calls: jsonRows([call]) });
  }

  private countEnds(ended: Ended[]): Ended[] {
    for (const { reason } of ended) if (reason) this.metrics.countEnd(reason);
    return ended;
  }
}

function sortLike<Row extends { id: string }>(calls: { id: string }[], rows: Row[]): (Row | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return calls.map(({ id }) => byId.get(id));
}

const isCall = ({ agentId, conversationId }: CallOfAgent) => isUUID(agentId) && isUUID(conversationId);
