import { Injectable } from '@nestjs/common';
import { getOffset, type Paginated, paginate } from '../../../platform/http/pagination';
import type { CallStatisticsDto, CallStatisticsQuery } from './call-statistics.dto';
import { presentStatistics, getStatus } from './call-statistics.presenter';
import { CallStatisticsRepository } from './call-statistics.repository';

@Injectable()
export class CallStatisticsService {
  constructor(private readonly calls: CallStatisticsRepository) {}

  /** Returns a page of calls, newest first, and totals over all calls that match the filter. */
  async get(workspaceId: string, query: CallStatisticsQuery): Promise<Paginated<CallStatisticsDto>> {
    const filter = {
      workspaceId,
      createdFrom: query.start_date ?? null,
      createdUntil: query.end_date ?? null,
      statuses: query.status ? [getStatus(query.status)] : null,
      callType: query.agent_type ?? null,
    };
    const place = { offset: getOffset(query), limit: query.limit };
    const { totals, calls } = await this.calls.page(filter, place);
    return paginate(presentStatistics(totals, calls), query, totals.total);
  }
}
