import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Transaction } from '../../../platform/database/database';
import { type CallFilter, type CallId, isFoundByIndex } from '../filter/call-filter';
import type { SortOrder } from '../../../platform/http/pagination';
import type { CallSortField } from '../filter/call-filter.dto';
import type { CallRecord } from '../filter/call-record.sql';
import { type CallDetail, FIND_AGENT_OF_CALL, FIND_CALL, FIND_LISTENING } from './call-records.sql';
import { getCountedValues, isForDurations, isForNumber } from '../filter/counted-values';
import {
  HAS_LINE,
  LIST_CALLS,
  LIST_CALLS_BY_DURATION,
  LIST_CALLS_BY_NUMBER,
  LIST_CALLS_BY_VALUE,
  LIST_FEW_CALLS,
  type PageRow,
} from './list-calls.sql';
import { type CallFacts, FIND_CALL_FACTS } from './timeline.sql';

export type { CallDetail, CallFacts, CallId, CallRecord };

interface Place {
  offset: number;
  limit: number;
  sortBy: CallSortField;
  sortOrder: SortOrder;
}

/**
 * Reads calls of all agents that a credential has access to. Methods return undefined if there is no such call.
 */
@Injectable()
export class CallRecordsRepository {
  constructor(private readonly database: Database) {}

  async list(filter: CallFilter, place: Place): Promise<{ total: number; calls: CallRecord[] }> {
    const rows = await this.page(filter, place);
    const calls = rows.filter((row): row is { total: number } & CallRecord => row.id !== null);
    return { total: rows[0]?.total ?? 0, calls };
  }

  private async page(filter: CallFilter, { sortBy, sortOrder, ...place }: Place): Promise<PageRow[]> {
    const parameters = { ...filter, ...place };
    if (sortBy === 'created_at') {
      const counted = getCountedValues(filter);
      if (isForDurations(filter)) return this.database.query(LIST_CALLS_BY_DURATION[sortOrder], parameters);
      if (counted) return this.database.query(LIST_CALLS_BY_VALUE[sortOrder], { ...parameters, ...counted });
      if (isForNumber(filter) && (await this.hasLine(filter)))
        return this.database.query(LIST_CALLS_BY_NUMBER[sortOrder], parameters);
    }
    const statements = isFoundByIndex(filter) ? LIST_FEW_CALLS : LIST_CALLS;
    return this.database.query(statements[sortBy][sortOrder], parameters);
  }

  private async hasLine({ workspaceId, reversedNumber }: CallFilter): Promise<boolean> {
    return (await this.database.query(HAS_LINE, { workspaceId, reversedNumber }))[0]?.hasLine ?? false;
  }

  async find(id: CallId): Promise<CallDetail | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_CALL, id))[0] : undefined;
  }

  async findFacts(id: CallId): Promise<CallFacts | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_CALL_FACTS, id))[0] : undefined;
  }

  /** @returns undefined if users cannot listen to the call now */
  async findListening(
    id: CallId,
    transaction: Transaction,
  ): Promise<{ url: string; expiresAt: Date } | undefined> {
    return isUUID(id.callId) ? (await transaction.query(FIND_LISTENING, id))[0] : undefined;
  }

  async findAgentId(id: CallId): Promise<string | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_AGENT_OF_CALL, id))[0]?.agentId : undefined;
  }
}
