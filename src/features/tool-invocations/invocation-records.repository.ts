import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Reader, type Transaction } from '../../platform/database/database';
import { getOffset } from '../../platform/http/pagination';
import type { ListInvocationsQuery } from './invocation-records.dto';
import { type InvocationFilter, LIST_ALL_INVOCATIONS, READ_INVOCATIONS } from './invocation-records.sql';
import { FIND_LISTED_INVOCATION, type ListedInvocation } from './list-invocations.sql';
import {
  FIND_SENT,
  REOPEN_INVOCATION,
  RESOLVE_INVOCATION,
  type SentInvocation,
} from './settle-invocation.sql';
import type { InvocationState } from './tool-invocation.entity';

/** The rows of an export that one statement reads. A row has up to 150 KB. */
const BATCH_SIZE = 100;

type Filters = Omit<ListInvocationsQuery, 'page' | 'limit'>;

/** @returns undefined if an id is none, so that nothing matches */
function toFilter(workspaceId: string, filters: Filters): InvocationFilter | undefined {
  const { tool = null, state = null, agent_id: agentId = null, call_id: callId = null } = filters;
  if ([agentId, callId].some((id) => id !== null && !isUUID(id))) return undefined;
  const { start_date: from = null, end_date: to = null } = filters;
  return { workspaceId, tool, state, agentId, callId, from, to };
}

/** The invocations of all calls of a workspace, and what persons say about them. */
@Injectable()
export class InvocationRecordsRepository {
  constructor(private readonly database: Database) {}

  /** Lists invocations, newest first. */
  async list(
    workspaceId: string,
    query: ListInvocationsQuery,
  ): Promise<{ rows: ListedInvocation[]; total: number }> {
    const filter = toFilter(workspaceId, query);
    if (!filter) return { rows: [], total: 0 };
    const place = { offset: getOffset(query), limit: query.limit };
    const found = await this.database.query(LIST_ALL_INVOCATIONS, { ...filter, ...place });
    const rows = found.filter((row): row is (typeof found)[number] & ListedInvocation => row.id !== null);
    return { rows, total: found[0]?.total ?? 0 };
  }

  /** Reads all that match in batches, newest first, each by a short statement. */
  async *batches(
    reader: Reader,
    workspaceId: string,
    filters: Filters,
  ): AsyncGenerator<ListedInvocation[], void> {
    const filter = toFilter(workspaceId, filters);
    if (!filter) return;
    let last: ListedInvocation | undefined;
    do {
      const after = { afterTime: last?.askedAt ?? null, afterId: last?.id ?? null };
      const rows = await reader.query(READ_INVOCATIONS, { ...filter, ...after, limit: BATCH_SIZE });
      yield rows;
      last = rows[BATCH_SIZE - 1];
    } while (last);
  }

  async find(workspaceId: string, id: string): Promise<ListedInvocation | undefined> {
    if (!isUUID(id)) return undefined;
    return (await this.database.query(FIND_LISTED_INVOCATION, { workspaceId, id }))[0];
  }

  /** @returns whether it was unknown until now */
  async resolve(
    workspaceId: string,
    id: string,
    resolution: { state: InvocationState; note: string },
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(RESOLVE_INVOCATION, { workspaceId, id, ...resolution })).length > 0;
  }

  /** @param id as the database has it */
  async findSent(workspaceId: string, id: string): Promise<SentInvocation | undefined> {
    return (await this.database.query(FIND_SENT, { workspaceId, id }))[0];
  }

  /**
   * Lets an unknown invocation run again.
   * @returns the end of its lease; undefined if it is not unknown, or was emptied
   */
  async reopen(workspaceId: string, id: string, transaction: Transaction): Promise<Date | undefined> {
    return (await transaction.query(REOPEN_INVOCATION, { workspaceId, id }))[0]?.leaseUntil;
  }
}
