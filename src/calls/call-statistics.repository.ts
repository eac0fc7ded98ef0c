import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { type CallType, type ConversationStatus, inStatus, STATUS } from './call-states';
import { Conversation, type WideColumn } from './conversation.entity';
import { Database } from '../database/database';
import { WorkspaceRepository } from '../database/workspace.repository';

export interface CallFilter {
  createdFrom?: Date;
  createdUntil?: Date;
  status?: ConversationStatus;
  callType?: CallType;
}

export interface CallTotals {
  total: number;
  successful: number;
  failed: number;
  /** Of the successful calls. */
  averageSeconds: number;
}

const COLUMNS = [
  'id',
  'agentId',
  'callType',
  'status',
  'durationSec',
  'createdAt',
] as const satisfies (keyof Conversation)[];

export type ReportedCall = Pick<Conversation, (typeof COLUMNS)[number]>;

type Calls = SelectQueryBuilder<Omit<Conversation, WideColumn>>;

/** Reads only the columns of one index, so that Postgres does not read the wide rows; see decision 9. */
@Injectable()
export class CallStatisticsRepository extends WorkspaceRepository<Conversation, WideColumn> {
  constructor(database: Database) {
    super(database, Conversation);
  }

  async totals(workspaceId: string, filter: CallFilter): Promise<CallTotals> {
    const successful = `FILTER (WHERE call.${inStatus(STATUS.disconnected)})`;
    const totals = await this.filtered(workspaceId, filter)
      .select('COUNT(*)::int', 'total')
      .addSelect(`COUNT(*) ${successful}::int`, 'successful')
      .addSelect(`COUNT(*) FILTER (WHERE call.${inStatus(STATUS.failed)})::int`, 'failed')
      .addSelect(`COALESCE(ROUND(AVG(call.durationSec) ${successful}), 0)::int`, 'averageSeconds')
      .getRawOne<CallTotals>();
    return totals as CallTotals;
  }

  /** Newest first. */
  list(
    workspaceId: string,
    filter: CallFilter,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<ReportedCall[]> {
    return this.filtered(workspaceId, filter)
      .select(COLUMNS.map((column) => `call.${column}`))
      .orderBy('call.createdAt', 'DESC')
      .addOrderBy('call.id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getMany();
  }

  private filtered(workspaceId: string, { createdFrom, createdUntil, status, callType }: CallFilter): Calls {
    const calls = this.select(workspaceId, 'call');
    if (createdFrom) calls.andWhere('call.createdAt >= :createdFrom', { createdFrom });
    if (createdUntil) calls.andWhere('call.createdAt <= :createdUntil', { createdUntil });
    if (callType) calls.andWhere({ callType });
    if (status) calls.andWhere({ status });
    return calls;
  }
}
