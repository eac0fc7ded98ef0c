import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database';
import { LOG_EVENT } from '../plan/campaign-log-entry.entity';
import { CampaignLogRepository } from '../plan/campaign-log.repository';
import { addOutcomes } from '../plan/campaign-outcomes';
import { CampaignRecipientsRepository } from '../recipients/campaign-recipients.repository';
import { CampaignsRepository } from './campaigns.repository';
import { PersonalDataRepository } from '../recipients/personal-data.repository';
import { RecipientRemoval } from './recipient-removal';

/** Removes persons and calls from the recipients of campaigns. States and counts stay. */
@Injectable()
export class RecipientErasure {
  constructor(
    private readonly data: PersonalDataRepository,
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: CampaignRecipientsRepository,
    private readonly removal: RecipientRemoval,
    private readonly log: CampaignLogRepository,
    private readonly database: Database,
  ) {}

  /** Finds campaigns with data of the person that can be erased now. */
  findCampaigns(workspaceId: string, phoneNumber: string): Promise<string[]> {
    return this.data.findCampaigns(workspaceId, phoneNumber);
  }

  /** Whether a campaign has a recipient with this number, perhaps one who is being called. */
  hasRecipient(workspaceId: string, phoneNumber: string): Promise<boolean> {
    return this.data.hasRecipient(workspaceId, phoneNumber);
  }

  /**
   * Erases in its own transaction, because several locks of campaigns would block each other. A recipient with a
   * running call is not called again, and stays until the end of the call is settled.
   * @returns whether the recipient was erased
   */
  erase(workspaceId: string, campaignId: string, phoneNumber: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const campaign = await this.campaigns.findLocked(workspaceId, campaignId, transaction);
      const recipient = campaign && (await this.recipients.find(campaignId, phoneNumber, transaction));
      if (!recipient) return false;
      const removal = await this.removal.remove(campaign, recipient, transaction);
      if (removal !== 'ended') {
        const text = `No further call to the recipient of row ${recipient.rowNumber}, who is being erased.`;
        const data = { row: recipient.rowNumber };
        await this.log.add({ campaignId, event: LOG_EVENT.recipient_removed, text, data }, transaction);
      }
      if (removal !== 'calling') await this.data.erase(campaignId, phoneNumber, transaction);
      return removal !== 'calling';
    });
  }

  /** Removes calls from their recipients, before the transaction deletes the calls. */
  async unlinkCalls(workspaceId: string, conversationIds: string[], transaction: Transaction): Promise<void> {
    for (const id of await this.data.findCampaignsOfCalls(conversationIds, transaction)) {
      const campaign = await this.campaigns.findLocked(workspaceId, id, transaction);
      if (!campaign) continue;
      const ended = await this.data.unlinkCalls(id, conversationIds, transaction);
      if (ended.length === 0) continue;
      await this.recipients.setOutcomes(id, addOutcomes(campaign.outcomes, ended), transaction);
    }
  }
}
