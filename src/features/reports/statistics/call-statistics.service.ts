import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Reader } from '../../../platform/database/database';
import { getOffset, type Paginated, paginate } from '../../../platform/http/pagination';
import { Replica } from '../../../platform/replica/replica';
import type { CallStatisticsDto, CallStatisticsQuery } from './call-statistics.dto';
import { presentStatistics, getStatus } from './call-statistics.presenter';
import { CallStatisticsRepository } from './call-statistics.repository';

@Injectable()
export class CallStatisticsService {
  constructor(
    private readonly calls: CallStatisticsRepository,
    private readonly replica: Replica,
  ) {}

  /** Returns a page of calls, newest first, and totals over all calls that match the filter. */
  async get(
    workspaceId: string,
    query: CallStatisticsQuery,
    response: Response,
  ): Promise<Paginated<CallStatisticsDto>> {
    const reader = this.replica.open();
    const statistics = await this.read(reader, workspaceId, query);
    reader.setHeader(response);
    return statistics;
  }

  async read(
    reader: Reader,
    workspaceId: string,
    query: CallStatisticsQuery,
  ): Promise<Paginated<CallStatisticsDto>> {
    const filter = {
      workspaceId,
      createdFrom: query.start_date ?? null,
      createdUntil: query.end_date ?? null,
      statuses: query.status ? [getStatus(query.status)] : null,
      callType: query.agent_type ?? null,
    };
    const place = { offset: getOffset(query), limit: query.limit };
    const { totals, calls } = await this.calls.page(reader, filter, place);
    return paginate(presentStatistics(totals, calls), query, totals.total);
  }
}
