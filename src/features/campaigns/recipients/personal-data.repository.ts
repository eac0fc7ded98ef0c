import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database';
import {
  ERASE_RECIPIENT,
  FIND_CAMPAIGNS_OF_CALLS,
  FIND_CAMPAIGNS_OF_NUMBER,
  HAS_RECIPIENT,
} from './personal-data.sql';
import { ERASE_FROM_SEARCH } from './recipient-search.sql';
import { type CountedOutcome, UNLINK_CALLS } from './recipient-moves.sql';

/** Finds and erases the data that campaigns keep about a person. */
@Injectable()
export class PersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** Finds some of the campaigns in which there is something to erase now. */
  async findCampaigns(workspaceId: string, phoneNumber: string): Promise<string[]> {
    const rows = await this.database.query(FIND_CAMPAIGNS_OF_NUMBER, { workspaceId, phoneNumber });
    return rows.map(({ id }) => id);
  }

  async hasRecipient(workspaceId: string, phoneNumber: string): Promise<boolean> {
    const [found] = await this.database.query(HAS_RECIPIENT, { workspaceId, phoneNumber });
    return found?.hasRecipient ?? false;
  }

  async erase(campaignId: string, phoneNumber: string, transaction: Transaction): Promise<void> {
    await transaction.query(ERASE_FROM_SEARCH, { campaignId, phoneNumber });
    await transaction.query(ERASE_RECIPIENT, { campaignId, phoneNumber });
  }

  async findCampaignsOfCalls(conversationIds: string[], transaction: Transaction): Promise<string[]> {
    const rows = await transaction.query(FIND_CAMPAIGNS_OF_CALLS, { conversationIds });
    return rows.map(({ id }) => id);
  }

  /** @returns the outcomes of recipients who have ended by this */
  unlinkCalls(
    campaignId: string,
    conversationIds: string[],
    transaction: Transaction,
  ): Promise<CountedOutcome[]> {
    return transaction.query(UNLINK_CALLS, { campaignId, conversationIds });
  }
}
