import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '../database/database';
import type { CallFilter } from './call-filter';
import type { CallSortField, SortOrder } from './call-filter.dto';
import {
  type CallDetail,
  type CallId,
  type CallRecord,
  FIND_AGENT_OF_CALL,
  FIND_CALL,
  LIST_CALLS,
} from './call-records.sql';
import { type CallFacts, FIND_CALL_FACTS } from './timeline.sql';

export type { CallDetail, CallFacts, CallId, CallRecord };

interface Place {
  offset: number;
  limit: number;
  sortBy: CallSortField;
  sortOrder: SortOrder;
}

/** Reads calls of all agents that a credential has access to. Methods return undefined for a call that is not there. */
@Injectable()
export class CallRecordsRepository {
  constructor(private readonly database: Database) {}

  async list(
    filter: CallFilter,
    { sortBy, sortOrder, ...place }: Place,
  ): Promise<{ total: number; calls: CallRecord[] }> {
    const rows = await this.database.query(LIST_CALLS[sortBy][sortOrder], { ...filter, ...place });
    const calls = rows.filter((row): row is { total: number } & CallRecord => row.id !== null);
    return { total: rows[0]?.total ?? 0, calls };
  }

  async find(id: CallId): Promise<CallDetail | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_CALL, id))[0] : undefined;
  }

  async findFacts(id: CallId): Promise<CallFacts | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_CALL_FACTS, id))[0] : undefined;
  }

  async findAgentId(id: CallId): Promise<string | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_AGENT_OF_CALL, id))[0]?.agentId : undefined;
  }
}
