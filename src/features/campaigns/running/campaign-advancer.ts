import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedCall } from '../../calls/model/accepted-call';
import { getDestinationRules, isAllowedDestination } from '../../do-not-call/destinations';
import { CONFIG, type Config } from '../../../config';
import { Database, type Transaction } from '../../../platform/database/database';
import { isE164 } from '../../../platform/validation/phone-number';
import { CampaignCalls } from './campaign-calls';
import {
  CampaignRecipientsRepository,
  type NextRecipient,
} from '../recipients/campaign-recipients.repository';
import { CampaignSettlement } from './campaign-settlement';
import { CAMPAIGN_STATUS, SKIP_REASON, type SkipReason } from '../plan/campaign-status';
import { CampaignsRepository } from './campaigns.repository';

/**
 * The number of calls accepted in one transaction. The workspace's other calls wait for it, some ten milliseconds.
 */
export const BATCH = 500;

/** Advances one campaign under its lock: settles calls that have ended, and starts calls. */
@Injectable()
export class CampaignAdvancer {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: CampaignRecipientsRepository,
    private readonly settlement: CampaignSettlement,
    private readonly calls: CampaignCalls,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns whether another batch may follow */
  async settle(campaignId: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const campaign = await this.campaigns.lockToAdvance(campaignId, transaction);
      return campaign ? this.settlement.settle(campaign, transaction) : false;
    });
  }

  /**
   * Finishes recipients of a campaign that was cancelled or has expired.
   * @returns whether another batch may follow
   */
  async finish(campaignId: string, isCancelled: boolean): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const campaign = await this.campaigns.lockToAdvance(campaignId, transaction);
      if (!campaign) return false;
      const reason = isCancelled ? SKIP_REASON.cancelled : SKIP_REASON.expired;
      return this.settlement.finishRest(campaign, reason, transaction);
    });
  }

  /** Starts a batch of calls. @returns whether another batch may follow */
  async startBatch(campaignId: string): Promise<boolean> {
    const { accepted, hasAdvanced } = await this.database.transaction((transaction) =>
      this.acceptCalls(campaignId, transaction),
    );
    await this.calls.publish(accepted);
    return hasAdvanced;
  }

  /** The calls and the moves of their recipients are committed together, so that each attempt has one call. */
  private async acceptCalls(
    campaignId: string,
    transaction: Transaction,
  ): Promise<{ accepted: AcceptedCall[]; hasAdvanced: boolean }> {
    const campaign = await this.campaigns.lockToAdvance(campaignId, transaction);
    if (campaign?.status !== CAMPAIGN_STATUS.running) return { accepted: [], hasAdvanced: false };
    await this.settlement.settle(campaign, transaction);
    const { workspaceId } = campaign;
    const { CAMPAIGN_CONCURRENCY: campaignConcurrency } = this.config;
    const limits = { limit: BATCH, campaignConcurrency };
    const next = await this.recipients.findNext({ campaignId, workspaceId, ...limits }, transaction);
    const rated = next.map((recipient) => ({ ...recipient, skipReason: this.findSkipReason(recipient) }));
    for (const reason of [SKIP_REASON.do_not_call, SKIP_REASON.invalid_destination]) {
      const skipped = rated.filter(({ skipReason }) => skipReason === reason);
      const numbers = skipped.map(({ phoneNumber }) => phoneNumber);
      if (numbers.length > 0) await this.settlement.finish(campaign, numbers, reason, transaction);
    }
    const callable = rated.filter(({ skipReason }) => !skipReason);
    const accepted = await this.calls.accept(campaign, callable, transaction);
    const called = {
      campaignId,
      numbers: accepted.map(({ toNumber }) => toNumber),
      conversationIds: accepted.map(({ id }) => id),
    };
    if (accepted.length > 0) await this.recipients.markCalled(called, transaction);
    return { accepted, hasAdvanced: accepted.length > 0 || callable.length < next.length };
  }

  private findSkipReason({ phoneNumber, isListed }: NextRecipient): SkipReason | undefined {
    if (isListed) return SKIP_REASON.do_not_call;
    // An earlier release stored numbers as they were written, and settings change after a file was imported.
    const isCallable =
      isE164(phoneNumber) && isAllowedDestination(phoneNumber, getDestinationRules(this.config));
    return isCallable ? undefined : SKIP_REASON.invalid_destination;
  }
}
