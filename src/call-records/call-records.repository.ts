import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '../database/database';
import { type CallFilter, isFoundByIndex } from './call-filter';
import type { SortOrder } from '../http/pagination';
import type { CallSortField } from './call-filter.dto';
import type { CallRecord } from './call-record.sql';
import {
  type CallDetail,
  type CallId,
  FIND_AGENT_OF_CALL,
  FIND_CALL,
  FIND_TRANSCRIPT,
  type FoundTurn,
  type TranscriptState,
} from './call-records.sql';
import { countedValuesOf } from './counted-values';
import { LIST_CALLS, LIST_COUNTED_CALLS, LIST_FEW_CALLS, type PageRow } from './list-calls.sql';
import { type CallFacts, FIND_CALL_FACTS } from './timeline.sql';

export type { CallDetail, CallFacts, CallId, CallRecord, FoundTurn };

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

  async list(filter: CallFilter, place: Place): Promise<{ total: number; calls: CallRecord[] }> {
    const rows = await this.page(filter, place);
    const calls = rows.filter((row): row is { total: number } & CallRecord => row.id !== null);
    return { total: rows[0]?.total ?? 0, calls };
  }

  private page(filter: CallFilter, { sortBy, sortOrder, ...place }: Place): Promise<PageRow[]> {
    const counted = sortBy === 'created_at' ? countedValuesOf(filter) : undefined;
    if (counted)
      return this.database.query(LIST_COUNTED_CALLS[sortOrder], { ...filter, ...counted, ...place });
    const statements = isFoundByIndex(filter) ? LIST_FEW_CALLS : LIST_CALLS;
    return this.database.query(statements[sortBy][sortOrder], { ...filter, ...place });
  }

  async find(id: CallId): Promise<CallDetail | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_CALL, id))[0] : undefined;
  }

  async findFacts(id: CallId): Promise<CallFacts | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_CALL_FACTS, id))[0] : undefined;
  }

  async findTranscript(id: CallId): Promise<(TranscriptState & { turns: FoundTurn[] }) | undefined> {
    if (!isUUID(id.callId)) return undefined;
    const rows = await this.database.query(FIND_TRANSCRIPT, id);
    const [first] = rows;
    if (!first) return undefined;
    const turns = rows.filter((row): row is TranscriptState & FoundTurn => row.sequence !== null);
    return { complete: first.complete, truncated: first.truncated, turns };
  }

  async findAgentId(id: CallId): Promise<string | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_AGENT_OF_CALL, id))[0]?.agentId : undefined;
  }
}
