import { Injectable } from '@nestjs/common';
import { Conversation, type WideColumn } from '../calls/conversation.entity';
import { offsetOf, type Paginated, paginate } from '../http/pagination';
import { InjectScoped, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import type { CallStatisticsDto, CallStatisticsQuery } from './call-statistics.dto';
import { asMinutes, presentCall } from './call-statistics.presenter';

interface Totals {
  total_calls: number;
  successful_calls: number;
  failed_calls: number;
  average_seconds: number;
}

/** Reads nothing but columns of one index, which Postgres then scans without the wide rows; see decision 9. */
@Injectable()
export class CallStatisticsService {
  constructor(
    @InjectScoped(Conversation)
    private readonly conversations: WorkspaceScopedRepository<Conversation, WideColumn>,
  ) {}

  /** One page of calls, newest first, with totals over all that the filter lets through. */
  async get(workspaceId: string, query: CallStatisticsQuery): Promise<Paginated<CallStatisticsDto>> {
    const filtered = this.filtered(workspaceId, query);
    const [totals, calls] = await Promise.all([
      filtered
        .clone()
        .select('COUNT(*)::int', 'total_calls')
        .addSelect(`COUNT(*) FILTER (WHERE call.status = 'disconnected')::int`, 'successful_calls')
        .addSelect(`COUNT(*) FILTER (WHERE call.status = 'failed')::int`, 'failed_calls')
        .addSelect(
          `COALESCE(ROUND(AVG(call.durationSec) FILTER (WHERE call.status = 'disconnected')), 0)::int`,
          'average_seconds',
        )
        .getRawOne<Totals>(),
      filtered
        .clone()
        .select([
          'call.id',
          'call.agentId',
          'call.callType',
          'call.status',
          'call.durationSec',
          'call.createdAt',
        ])
        .orderBy('call.createdAt', 'DESC')
        .addOrderBy('call.id', 'DESC')
        .offset(offsetOf(query))
        .limit(query.limit)
        .getMany(),
    ]);
    const { average_seconds, ...counts } = totals as Totals;
    const data = { ...counts, average_duration: asMinutes(average_seconds), calls: calls.map(presentCall) };
    return paginate(data, query, counts.total_calls);
  }

  private filtered(workspaceId: string, { start_date, end_date, status, agent_type }: CallStatisticsQuery) {
    const calls = this.conversations.query(workspaceId, 'call');
    if (start_date) calls.andWhere('call.createdAt >= :start_date', { start_date });
    if (end_date) calls.andWhere('call.createdAt <= :end_date', { end_date });
    if (agent_type) calls.andWhere('call.callType = :agent_type', { agent_type });
    if (status)
      calls.andWhere('call.status = :status', { status: status === 'success' ? 'disconnected' : 'failed' });
    return calls;
  }
}
