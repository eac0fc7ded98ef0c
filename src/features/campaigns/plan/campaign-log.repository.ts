import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database';
import { type Page, readPage } from '../../../platform/database/workspace.repository';
import { CampaignLogEntry, type LogEvent } from './campaign-log-entry.entity';
import { ADD_LOG_LINE } from './campaign-log.sql';

@Injectable()
export class CampaignLogRepository {
  constructor(private readonly database: Database) {}

  /** Adds an entry that names the actor of the change. */
  async add(
    { data = {}, ...line }: { campaignId: string; event: LogEvent; text: string; data?: object },
    transaction: Transaction,
  ): Promise<void> {
    const actor = transaction.actor && JSON.stringify(transaction.actor);
    await transaction.query(ADD_LOG_LINE, { ...line, actor, data: JSON.stringify(data) });
  }

  /** Lists the entries, newest first. The caller has found the campaign in its workspace. */
  list(campaignId: string, page: { page: number; limit: number }): Promise<Page<CampaignLogEntry>> {
    const rows = this.database.manager
      .createQueryBuilder(CampaignLogEntry, 'entry')
      .where('entry.campaignId = :campaignId', { campaignId });
    return readPage(rows.orderBy('entry.id', 'DESC'), page);
  }
}
