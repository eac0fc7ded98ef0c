import { Inject, Injectable } from '@nestjs/common';
import { type AcceptedCall, isRefusal, type NewCall } from '../../calls/model/accepted-call';
import { CallAcceptor } from '../../calls/lifecycle/call-acceptor';
import { CallDispatcher } from '../../calls/lifecycle/call-dispatcher';
import { toCallRequest } from '../../calls/model/call-request';
import { CALL_TYPE, DIRECTION } from '../../calls/model/call-states';
import { CallsService } from '../../calls/lifecycle/calls.service';
import { CONFIG, type Config } from '../../../config';
import type { Transaction } from '../../../platform/database/database';
import { beginLinkedTrace, ROOT_CONTEXT, traceWork } from '../../../platform/tracing/tracing';
import type { NextRecipient } from '../recipients/campaign-recipients.repository';
import type { CampaignOfAgent, RunningCampaign } from './campaigns.repository';

const toAttributes = ({ id, workspaceId, agentId }: RunningCampaign) => ({
  'parley.campaign_id': id,
  'parley.workspace_id': workspaceId,
  'parley.agent_id': agentId,
});

/** Accepts, cancels and publishes the calls of campaigns. */
@Injectable()
export class CampaignCalls {
  constructor(
    private readonly acceptor: CallAcceptor,
    private readonly calls: CallsService,
    private readonly dispatcher: CallDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Accepts the calls that may start now; recipients of the others are chosen again.
   * @returns the accepted calls, in the order of the recipients
   */
  accept(
    campaign: RunningCampaign,
    recipients: NextRecipient[],
    transaction: Transaction,
  ): Promise<AcceptedCall[]> {
    // Each call has a trace of its own, with a link to this span.
    return traceWork(
      'accept calls of a campaign',
      { attributes: toAttributes(campaign), parent: ROOT_CONTEXT },
      () => this.acceptTraced(campaign, recipients, transaction),
    );
  }

  private async acceptTraced(
    campaign: RunningCampaign,
    recipients: NextRecipient[],
    transaction: Transaction,
  ): Promise<AcceptedCall[]> {
    const calls = recipients.map((recipient) => this.toNewCall(campaign, recipient));
    const outcomes = await this.acceptor.acceptAll(calls, transaction);
    // A refusal stops no other call: a number may have been listed since the recipients were chosen.
    return outcomes.filter((outcome): outcome is AcceptedCall => !isRefusal(outcome));
  }

  /** A call whose publish fails stays queued. The sweeper publishes it again, as after a crash at this point. */
  async publish(calls: AcceptedCall[]): Promise<void> {
    const outcomes = await Promise.allSettled(calls.map((call) => this.dispatcher.publish(call)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }

  /** @returns the ids of the calls that were cancelled, because no runtime had claimed them */
  cancelQueued(
    { workspaceId, agentId }: CampaignOfAgent,
    ids: string[],
    transaction: Transaction,
  ): Promise<string[]> {
    return this.calls.cancelQueuedOfCampaign(ids, { workspaceId, agentId }, transaction);
  }

  private toNewCall(
    campaign: RunningCampaign,
    { phoneNumber, customerName, dynamicVariables, attempts, notAfter }: NextRecipient,
  ): NewCall {
    const { id, workspaceId, agentId, userId, webhookUrl } = campaign;
    return {
      workspaceId,
      agentId,
      userId,
      campaignId: id,
      startedBy: null,
      callType: CALL_TYPE.phonecall,
      direction: DIRECTION.outbound,
      channel: null,
      toNumber: phoneNumber,
      request: toCallRequest({
        dynamic_variables: dynamicVariables,
        customer_name: customerName,
        webhook_url: webhookUrl,
        traceparent: beginLinkedTrace('start a call of a campaign', toAttributes(campaign)),
      }),
      ttlSeconds: this.config.CAMPAIGN_CALL_TTL_SECONDS,
      notAfter,
      attempt: attempts + 1,
    };
  }
}
