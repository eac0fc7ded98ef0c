import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { statement } from '../../../platform/database/statement';
import { type ConversationStatus, IS_IN_PROGRESS, STATUS } from '../model/call-states';

export const COUNT_CALLS_IN_PROGRESS = statement<object, { status: ConversationStatus; calls: number }>(
  'count-calls-in-progress',
  `SELECT status, count(*)::int AS calls FROM conversations WHERE ${IS_IN_PROGRESS} GROUP BY status`,
);

@Injectable()
export class CallMetricsRepository {
  constructor(private readonly database: Database) {}

  /** @returns the numbers of calls by each status of a call in progress */
  async countInProgress(): Promise<Map<string, number>> {
    const rows = await this.database.query(COUNT_CALLS_IN_PROGRESS, {});
    const none = [STATUS.queued, STATUS.accepted, STATUS.connected].map((status) => [status, 0] as const);
    return new Map([...none, ...rows.map(({ status, calls }) => [status, calls] as const)]);
  }
}
