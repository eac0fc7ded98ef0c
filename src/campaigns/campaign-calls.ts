import { Inject, Injectable } from '@nestjs/common';
import { acceptCall, isRefusal } from '../calls/accept-call';
import { CallDispatcher } from '../calls/call-dispatcher';
import { destinationRulesOf, isAllowedDestination } from '../calls/destinations';
import { CANCEL_QUEUED, REFUSE_DESTINATION } from '../calls/end-call.sql';
import type { AcceptedCall } from '../calls/start-call.sql';
import { CONFIG, type Config } from '../config';
import type { Transaction } from '../database/database';
import { sqlOf } from '../database/sql';
import type { NextRecipient } from './campaign-recipients.sql';
import type { CampaignOfAgent } from './campaign-transitions.sql';
import type { RunningCampaign } from './startable-campaigns.sql';

/** Accepts, cancels and publishes the calls of campaigns. */
@Injectable()
export class CampaignCalls {
  constructor(
    private readonly dispatcher: CallDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Accepts calls until the workspace may start no other one.
   * @returns the accepted calls, in the order of the recipients, and those of them that are to be published
   */
  async accept(
    campaign: RunningCampaign,
    recipients: NextRecipient[],
    transaction: Transaction,
  ): Promise<{ accepted: AcceptedCall[]; publishable: AcceptedCall[] }> {
    const accepted: AcceptedCall[] = [];
    const publishable: AcceptedCall[] = [];
    for (const recipient of recipients) {
      const call = await this.acceptOne(campaign, recipient, transaction);
      if (isRefusal(call)) break;
      accepted.push(call);
      // The settings may have changed since the file was imported.
      if (isAllowedDestination(call.toNumber, destinationRulesOf(this.config))) publishable.push(call);
      else await (await sqlOf(transaction.manager)).run(REFUSE_DESTINATION, [call.id]);
    }
    return { accepted, publishable };
  }

  /** A call whose publish fails stays queued. The sweeper publishes it again, as after a crash at this point. */
  async publish(calls: AcceptedCall[]): Promise<void> {
    const outcomes = await Promise.allSettled(calls.map((call) => this.dispatcher.publish(call)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }

  async cancelQueued(campaign: CampaignOfAgent, ids: string[], transaction: Transaction): Promise<void> {
    const sql = await sqlOf(transaction.manager);
    for (const id of ids) await sql.run(CANCEL_QUEUED, [campaign.workspaceId, campaign.agentId, id]);
  }

  private acceptOne(
    { id, ...campaign }: RunningCampaign,
    { phoneNumber, customerName, dynamicVariables }: NextRecipient,
    transaction: Transaction,
  ) {
    return acceptCall(transaction, {
      ...campaign,
      campaignId: id,
      callType: 'phonecall',
      direction: 'outbound',
      channel: null,
      toNumber: phoneNumber,
      request: {
        greeting: '',
        dynamic_variables: dynamicVariables,
        customer_name: customerName,
        webhook_url: '',
        external_id: '',
        memory_id: '',
        style: '',
      },
      ttlSeconds: this.config.CAMPAIGN_CALL_TTL_SECONDS,
      workspaceConcurrency: this.config.WORKSPACE_CONCURRENCY,
    });
  }
}
