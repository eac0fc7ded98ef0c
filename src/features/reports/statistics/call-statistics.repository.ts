import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database';
import type { RollupFilter } from '../filter/call-filter';
import { callPage, type CallTotals, type ListedPage, pageFrom } from '../filter/call-page.sql';
import type { Conversation } from '../../calls/model/conversation.entity';

export type { CallTotals };

export type ReportedCall = Pick<
  Conversation,
  'id' | 'agentId' | 'callType' | 'status' | 'durationSec' | 'createdAt'
>;

export const PAGE_OF_WORKSPACE = callPage<ReportedCall>('call-page-of-workspace', 'workspace', {
  id: 'id',
  agentId: 'agent_id',
  callType: 'call_type',
  status: 'status',
  durationSec: 'duration_sec',
  createdAt: 'created_at',
});

/** Counts and lists the calls of a workspace; see decision 24. */
@Injectable()
export class CallStatisticsRepository {
  /** Returns a page of calls, newest first. */
  async page(
    reader: Reader,
    filter: RollupFilter,
    place: { offset: number; limit: number },
  ): Promise<ListedPage<ReportedCall>> {
    const values = { ...filter, subjectId: filter.workspaceId, ...place };
    return pageFrom(await reader.query(PAGE_OF_WORKSPACE, values));
  }
}
