import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config';
import { MessageBroker, PublishError } from '../../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../../platform/messaging/topology';
import type { WaitingReason } from '../plan/campaign-status';
import { type BrokerState, CampaignsRepository, type CampaignState } from './campaigns.repository';

const REASONS: Record<WaitingReason, string> = {
  outside_window: 'No recipient is within the windows now',
  no_credits: 'The workspace has no credits for another call',
  agent_off: 'The agent is switched off',
  workspace_full: 'The workspace has as many calls in progress as it may have',
  no_runtime: 'No runtime takes the calls',
  broker_away: 'The message broker cannot be reached',
  suspended: 'The operator suspended the workspace',
  retry_pause: 'All recipients that are left wait for their next attempt',
};

/** Finds the campaigns that may start calls, and stores why the others wait. */
@Injectable()
export class CampaignWaiting {
  private readonly logger = new Logger(CampaignWaiting.name);

  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly broker: MessageBroker,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  /**
   * Finds the campaigns that may start calls. There are none while the broker is away: a call that it does not get
   * could only expire.
   */
  async findStartable(): Promise<CampaignState[]> {
    const limits = this.limits;
    const withBroker = { isBrokerAway: false, hasNoRuntime: false };
    const states = await this.campaigns.findStates({ ...limits, ...withBroker });
    // No request is sent to the broker while no campaign needs it.
    if (states.every(({ reason }) => reason)) return this.note(states, false);
    const broker = await this.stateOfBroker();
    const isChanged = broker.isBrokerAway || broker.hasNoRuntime;
    return this.note(
      isChanged ? await this.campaigns.findStates({ ...limits, ...broker }) : states,
      broker.isBrokerAway,
    );
  }

  get limits() {
    return {
      campaignConcurrency: this.config.CAMPAIGN_CONCURRENCY,
      workspaceConcurrency: this.config.WORKSPACE_CONCURRENCY,
    };
  }

  private async note(states: CampaignState[], isBrokerAway: boolean): Promise<CampaignState[]> {
    for (const { id, reason, until, knownReason } of states) {
      if (reason === knownReason) continue;
      const time = until ? `, until ${until.toISOString()}` : '';
      const text = reason ? `${REASONS[reason]}${time}.` : 'The campaign goes on.';
      const data = reason ? { reason, until } : { waited_for: knownReason };
      await this.campaigns.noteWaiting(id, reason, text, data);
    }
    return isBrokerAway ? [] : states.filter(({ mayStart }) => mayStart);
  }

  /**
   * Returns the consumers of the default queue; undefined if the broker does not report them, which is no reason to
   * wait.
   */
  private async consumers(): Promise<number | undefined> {
    try {
      const figures = await this.broker.queueFigures();
      return figures.find(({ name }) => name === this.topology.callsQueue)?.consumers;
    } catch (error) {
      this.logger.warn({ err: error }, 'The broker did not say who consumes the calls');
      return undefined;
    }
  }

  private async stateOfBroker(): Promise<BrokerState> {
    try {
      await this.broker.check();
      return { isBrokerAway: false, hasNoRuntime: (await this.consumers()) === 0 };
    } catch (error) {
      if (!(error instanceof PublishError)) throw error;
      this.logger.warn({ reason: error.message }, 'Campaigns wait for the broker');
      return { isBrokerAway: true, hasNoRuntime: false };
    }
  }
}
