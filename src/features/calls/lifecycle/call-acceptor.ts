import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { uuidv7 } from 'uuidv7';
import { CONFIG, type Config } from '../../../config';
import type { Transaction } from '../../../platform/database/database';
import { ONE_WORKSPACE_AT_ONCE, StatementBatcher } from '../../../platform/database/statement-batcher';
import type { IdempotentAttempt, StoredResponse } from '../../../accounts/idempotency/idempotent-attempt';
import type { AcceptedCall, NewCall, Refusal } from '../model/accepted-call';
import { sizeOfRequest, toStoredRequest } from '../model/call-request';
import { type Acceptance, CallsRepository, type CallToAccept } from './calls.repository';

/** The length of the calls that share a statement, in characters. */
const MAX_STATEMENT_LENGTH = 256 * 1024;

/** The attempt of a request with an Idempotency-Key, and the response to store. */
export interface KeyedResponse {
  attempt: IdempotentAttempt;
  response: StoredResponse;
}

/**
 * Accepts calls: those that arrive together share a statement, which decides on each by itself. Calls of a workspace
 * whose row is locked elsewhere are decided again by a statement that waits, apart from other workspaces.
 */
@Injectable()
export class CallAcceptor {
  private readonly unlocked = new StatementBatcher(
    (calls: CallToAccept[]) => this.calls.acceptUnlocked(calls, this.config.WORKSPACE_CONCURRENCY),
    { maxWeight: MAX_STATEMENT_LENGTH },
  );
  private readonly waiting = new StatementBatcher(
    (calls: CallToAccept[]) => this.calls.accept(calls, this.config.WORKSPACE_CONCURRENCY),
    { ...ONE_WORKSPACE_AT_ONCE, maxWeight: MAX_STATEMENT_LENGTH },
  );

  constructor(
    private readonly calls: CallsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Accepts and commits a call, which the caller then publishes. */
  async accept(id: string, newCall: NewCall, keyed?: KeyedResponse): Promise<AcceptedCall | Refusal> {
    if (!isUUID(newCall.agentId)) return { reason: 'no agent' };
    const stored = { ...newCall, id, request: toStoredRequest(newCall.request) };
    const call = keyed ? { ...stored, ...keyed.attempt.ownedKey, response: keyed.response } : stored;
    const length = sizeOfRequest(newCall.request);
    const first = await this.unlocked.add(call.workspaceId, call, length);
    return toOutcome(
      newCall,
      first.refusal === 'locked' ? await this.waiting.add(call.workspaceId, call, length) : first,
    );
  }

  /**
   * Accepts calls of one workspace in a transaction, after whose commit the caller publishes them.
   * @returns the outcomes in the order of the calls
   */
  async acceptAll(newCalls: NewCall[], transaction: Transaction): Promise<(AcceptedCall | Refusal)[]> {
    const calls = newCalls.map((call) => ({ ...call, id: uuidv7(), request: toStoredRequest(call.request) }));
    const decided = await this.calls.accept(calls, this.config.WORKSPACE_CONCURRENCY, transaction);
    return newCalls.map((call, index) => toOutcome(call, decided[index] as Acceptance));
  }
}

function toOutcome(call: NewCall, acceptance: Acceptance): AcceptedCall | Refusal {
  const { refusal, creditsPerDay, concurrentCalls, callsPerDay, capResetsAt, ...accepted } = acceptance;
  if (refusal === null) {
    const timeLeftMs = accepted.expiresAt.getTime() - accepted.createdAt.getTime();
    return { ...call, ...accepted, timeLeftMs };
  }
  if (refusal === 'locked') throw new Error('A statement that waits for locks found one.');
  if (refusal === 'no credits today') return { reason: refusal, limit: creditsPerDay ?? 0 };
  if (refusal === 'cap reached') {
    return { reason: refusal, limit: callsPerDay ?? 0, resetsAt: capResetsAt ?? undefined };
  }
  return { reason: refusal, limit: concurrentCalls };
}
