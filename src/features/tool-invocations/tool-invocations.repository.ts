import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '../../platform/database/database';
import { COUNT_WAITING_INVOCATIONS } from './count-waiting-invocations.sql';
import {
  FIND_INVOCATION,
  FIND_SETTLED,
  LIST_INVOCATIONS,
  type ListedInvocation,
} from './list-invocations.sql';
import {
  type InvocationRow,
  type NewInvocation,
  RECORD_INVOCATION,
  type RecordedInvocation,
  type RequestFacts,
} from './record-invocation.sql';
import {
  LEASE_BATCH,
  type Leased,
  type LeftInvocation,
  type SentInvocation,
  SETTLE_INVOCATION,
  type Settlement,
  TAKE_LEFT,
} from './settle-invocation.sql';

export { MAX_COUNTED_INVOCATIONS } from './count-waiting-invocations.sql';
export { LEASE_BATCH };
export type {
  InvocationRow,
  Leased,
  LeftInvocation,
  ListedInvocation,
  RecordedInvocation,
  RequestFacts,
  SentInvocation,
  Settlement,
};

@Injectable()
export class ToolInvocationsRepository {
  constructor(private readonly database: Database) {}

  /** @returns undefined if the workspace has no such call */
  async record(invocation: NewInvocation): Promise<RecordedInvocation | undefined> {
    return (await this.database.query(RECORD_INVOCATION, invocation))[0];
  }

  /** @returns undefined if it was settled before, or another server has it */
  async settle(settlement: Leased & Settlement): Promise<InvocationRow | undefined> {
    return (await this.database.query(SETTLE_INVOCATION, settlement))[0];
  }

  takeLeft(): Promise<LeftInvocation[]> {
    return this.database.query(TAKE_LEFT, {});
  }

  /** Counts those that no server goes on with, and those about which a person decides. */
  async countWaiting(): Promise<{ left: number; unknown: number }> {
    const [counted] = await this.database.query(COUNT_WAITING_INVOCATIONS, {});
    return counted ?? { left: 0, unknown: 0 };
  }

  async find(workspaceId: string, callId: string, id: string): Promise<InvocationRow | undefined> {
    if (!isUUID(id)) return undefined;
    return (await this.database.query(FIND_INVOCATION, { workspaceId, callId, id }))[0];
  }

  /** Finds those of these invocations, which the caller may see, that do not run any more. */
  findSettled(ids: string[]): Promise<InvocationRow[]> {
    return this.database.query(FIND_SETTLED, { ids });
  }

  /** @returns undefined if there is no such call in scope */
  async list(
    workspaceId: string,
    agentsInScope: string[] | null,
    callId: string,
  ): Promise<ListedInvocation[] | undefined> {
    if (!isUUID(callId)) return undefined;
    const rows = await this.database.query(LIST_INVOCATIONS, { workspaceId, agentsInScope, callId });
    if (rows.length === 0) return undefined;
    return rows.filter((row): row is ListedInvocation => row.id !== null);
  }
}
