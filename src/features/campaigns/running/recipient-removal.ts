import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database';
import { CampaignCalls } from './campaign-calls';
import type { CampaignRecipient } from '../recipients/campaign-recipient.entity';
import { CampaignRecipientsRepository } from '../recipients/campaign-recipients.repository';
import { CampaignSettlement } from './campaign-settlement';
import { RECIPIENT_STATUS, SKIP_REASON } from '../plan/campaign-status';
import type { Campaign } from '../plan/campaign.entity';
import { CampaignsRepository } from './campaigns.repository';

/**
 * `skipped`: no call is made. `calling`: a runtime has claimed the last call. `ended`: no call would have been
 * made.
 */
export type Removal = 'skipped' | 'calling' | 'ended';

/** Makes sure that a recipient is not called again. */
@Injectable()
export class RecipientRemoval {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: CampaignRecipientsRepository,
    private readonly settlement: CampaignSettlement,
    private readonly calls: CampaignCalls,
  ) {}

  /**
   * Prevents further calls, and cancels a call that no runtime has claimed. It requires the lock of the campaign.
   */
  async remove(
    campaign: Campaign,
    { phoneNumber, status, conversationId }: CampaignRecipient,
    transaction: Transaction,
  ): Promise<Removal> {
    const { id: campaignId } = campaign;
    const reason = SKIP_REASON.removed;
    const skipped = { campaignId, numbers: [phoneNumber], reason };
    const skip = async () => ((await this.recipients.skip(skipped, transaction)) > 0 ? 'skipped' : 'ended');
    if (status !== RECIPIENT_STATUS.calling) return skip();
    const queued = await this.campaigns.lockQueuedCalls(campaignId, transaction);
    const own = queued.filter((id) => id === conversationId);
    const taken = await this.calls.cancelQueued(campaign, own, transaction);
    await this.recipients.takeBack(campaignId, taken, reason, transaction);
    if (taken.length > 0) return 'skipped';
    // The call may have ended without being settled yet, perhaps as no attempt at all.
    await this.settlement.settleAll(campaign, transaction);
    const settled = await this.recipients.find(campaignId, phoneNumber, transaction);
    if (settled?.status !== RECIPIENT_STATUS.calling) return skip();
    await this.recipients.markRemoved(campaignId, phoneNumber, transaction);
    return 'calling';
  }
}
