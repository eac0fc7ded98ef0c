import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { jsonRows } from '../../../platform/database/statement';
import {
  ACCEPT_INCOMING,
  type ClaimedIncomingCall,
  FIND_INCOMING,
  type IncomingCall,
  type IncomingDecision,
} from '../lifecycle/accept-incoming-calls.sql';
import type { ClaimScope } from '../model/claim-scope';
import { toCallRequest } from '../model/call-request';

export type { ClaimedIncomingCall, IncomingCall, IncomingDecision };

/** Accepts and finds the calls that reach runtimes. */
@Injectable()
export class IncomingCallsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Decides on calls of any workspaces. With `skipLocked` it leaves out those of a workspace whose row is locked.
   * @returns the decisions in the order of the calls; undefined for a claim that is accepted already
   */
  async accept(
    calls: IncomingCall[],
    { workspaceConcurrency, skipLocked }: { workspaceConcurrency: number; skipLocked: boolean },
  ): Promise<(IncomingDecision | undefined)[]> {
    const statement = ACCEPT_INCOMING[skipLocked ? 'unlocked' : 'waiting'];
    const rows = await this.database.query(statement, { calls: jsonRows(calls), workspaceConcurrency });
    const byId = new Map(rows.map((row) => [row.requestId, row]));
    const refusals = new Map(rows.flatMap((row) => (row.refusal === null ? [] : [[row.claimId, row]])));
    // The statement decides on one of several calls with one claim. Its acceptance is that of the others, too.
    return calls.map(({ id, claimId }) => byId.get(id) ?? refusals.get(claimId));
  }

  /** Finds the call of an accepted claim. */
  async find(claimId: string, scope: ClaimScope): Promise<ClaimedIncomingCall | undefined> {
    const [call] = await this.database.query(FIND_INCOMING, { claimId, scope });
    return call && { ...call, request: toCallRequest(call.request) };
  }
}
