import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database';
import { addOutcomes } from '../plan/campaign-outcomes';
import {
  CampaignRecipientsRepository,
  type CountedOutcome,
  SETTLE_BATCH,
} from '../recipients/campaign-recipients.repository';
import type { SkipReason } from '../plan/campaign-status';
import type { Campaign } from '../plan/campaign.entity';

type LockedCampaign = Pick<Campaign, 'id' | 'outcomes'>;

/**
 * Decides on recipients of a campaign that the transaction has locked, and counts the outcomes of those that have ended,
 * also in the given campaign.
 */
@Injectable()
export class CampaignSettlement {
  constructor(private readonly recipients: CampaignRecipientsRepository) {}

  /**
   * Settles a batch of recipients whose calls have ended.
   * @returns whether another batch may follow
   */
  async settle(campaign: LockedCampaign, transaction: Transaction): Promise<boolean> {
    const { count, outcomes } = await this.recipients.settle(campaign.id, transaction);
    await this.addOutcomes(campaign, outcomes, transaction);
    return count >= SETTLE_BATCH;
  }

  /** Settles all recipients whose calls have ended. */
  async settleAll(campaign: LockedCampaign, transaction: Transaction): Promise<void> {
    while (await this.settle(campaign, transaction));
  }

  /**
   * Finishes a batch of the recipients that wait for a call, without another call.
   * @returns whether another batch may follow
   */
  async finishRest(campaign: LockedCampaign, reason: SkipReason, transaction: Transaction): Promise<boolean> {
    const { count, outcomes } = await this.recipients.finishRest(campaign.id, reason, transaction);
    await this.addOutcomes(campaign, outcomes, transaction);
    return count > 0;
  }

  /** Finishes the recipients with these numbers that wait for a call, without another call. */
  async finish(
    campaign: LockedCampaign,
    numbers: string[],
    reason: SkipReason,
    transaction: Transaction,
  ): Promise<void> {
    const finished = { campaignId: campaign.id, numbers, reason };
    const { outcomes } = await this.recipients.finish(finished, transaction);
    await this.addOutcomes(campaign, outcomes, transaction);
  }

  /** Applies a changed policy to all recipients that wait for another attempt. */
  async decideAgain(campaign: LockedCampaign, transaction: Transaction): Promise<void> {
    let after: string | null = '';
    while (after !== null) {
      const { outcomes, last } = await this.recipients.decideAgain(campaign.id, after, transaction);
      await this.addOutcomes(campaign, outcomes, transaction);
      after = last;
    }
  }

  private async addOutcomes(
    campaign: LockedCampaign,
    added: CountedOutcome[],
    transaction: Transaction,
  ): Promise<void> {
    if (added.length === 0) return;
    campaign.outcomes = addOutcomes(campaign.outcomes, added);
    await this.recipients.setOutcomes(campaign.id, campaign.outcomes, transaction);
  }
}
