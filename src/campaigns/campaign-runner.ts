import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { AcceptedCall } from '../calls/accepted-call';
import { BackgroundLoops } from '../background/background-loops';
import { CONFIG, type Config } from '../config';
import { Database, type Transaction } from '../database/database';
import { MessageBroker, PublishError } from '../messaging/message-broker';
import { CampaignCalls } from './campaign-calls';
import { CampaignRecipientsRepository } from './campaign-recipients.repository';
import { CampaignsRepository } from './campaigns.repository';

/** Calls accepted in one transaction. The workspace's other calls wait for it, some ten milliseconds. */
const BATCH = 500;

/**
 * Advances campaigns: starts those that are due, starts their calls, completes and fails them. All state is in the
 * database, so any number of runners can run, and a runner that is killed leaves nothing to clean up.
 */
@Injectable()
export class CampaignRunner implements OnApplicationBootstrap {
  private readonly logger = new Logger(CampaignRunner.name);

  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: CampaignRecipientsRepository,
    private readonly calls: CampaignCalls,
    private readonly database: Database,
    private readonly broker: MessageBroker,
    private readonly loops: BackgroundLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.tick(),
      this.config.CAMPAIGN_INTERVAL_MS,
      'The campaigns could not be advanced; the next attempt follows',
    );
  }

  private async tick(): Promise<void> {
    await this.step('A campaign failed: its agent was deleted', () => this.failWithoutAgent());
    await this.step('A campaign started', () => this.campaigns.startDue());
    await this.step('A campaign is complete', () => this.campaigns.completeEnded());
    const startable = await this.campaigns.findStartable({
      campaignConcurrency: this.config.CAMPAIGN_CONCURRENCY,
      workspaceConcurrency: this.config.WORKSPACE_CONCURRENCY,
    });
    if (startable.length === 0) return;
    // Calls that are not accepted while the broker is unavailable cannot expire.
    await this.broker.check();
    await this.startCalls(startable);
  }

  /**
   * A step that fails does not prevent the next ones.
   * @param advance returns the ids of the campaigns that it has changed
   */
  private async step(message: string, advance: () => Promise<string[]>): Promise<void> {
    try {
      for (const id of await advance()) this.logger.log({ campaignId: id }, message);
    } catch (error) {
      this.logger.error({ err: error }, 'A step of the campaign runner failed; the next attempt follows');
    }
  }

  /** A campaign that fails does not prevent the next ones, unless the broker is unavailable. */
  private async forEach(ids: string[], work: (id: string) => Promise<void>): Promise<void> {
    for (const id of ids) {
      await work(id).catch((error: unknown) => {
        if (error instanceof PublishError) throw error;
        this.logger.error({ err: error, campaignId: id }, 'A campaign could not be advanced');
      });
    }
  }

  /** One batch of each campaign, then the next ones, so that a large campaign does not delay the others. */
  private async startCalls(campaignIds: string[]): Promise<void> {
    let left = campaignIds;
    // The other steps run again after so many calls as a campaign may have in progress.
    const rounds = Math.ceil(this.config.CAMPAIGN_CONCURRENCY / BATCH);
    for (let round = 0; round < rounds && left.length > 0 && !this.loops.areStopping; round++) {
      const unfinished: string[] = [];
      await this.forEach(left, async (id) => {
        if (await this.startBatch(id)) unfinished.push(id);
      });
      left = unfinished;
    }
  }

  /** @returns whether the campaign may have further calls to start */
  private async startBatch(campaignId: string): Promise<boolean> {
    const limit = Math.min(BATCH, this.config.CAMPAIGN_CONCURRENCY);
    const { accepted, publishable } = await this.database.transaction((transaction) =>
      this.acceptCalls(campaignId, limit, transaction),
    );
    await this.calls.publish(publishable);
    return accepted.length > 0;
  }

  /** The calls and the marks of their recipients are committed together, so that each recipient is called once. */
  private async acceptCalls(
    campaignId: string,
    limit: number,
    transaction: Transaction,
  ): Promise<{ accepted: AcceptedCall[]; publishable: AcceptedCall[] }> {
    const campaign = await this.campaigns.lockRunning(campaignId, transaction);
    if (!campaign) return { accepted: [], publishable: [] };
    const { CAMPAIGN_CONCURRENCY: campaignConcurrency } = this.config;
    const next = await this.recipients.findNext({ campaignId, limit, campaignConcurrency }, transaction);
    const calls = await this.calls.accept(campaign, next, transaction);
    const called = {
      campaignId,
      numbers: calls.accepted.map(({ toNumber }) => toNumber),
      conversationIds: calls.accepted.map(({ id }) => id),
    };
    await this.recipients.markCalled(called, transaction);
    return calls;
  }

  private async failWithoutAgent(): Promise<string[]> {
    const failed: string[] = [];
    await this.forEach(await this.campaigns.findWithoutAgent(), async (id) => {
      if (await this.failOne(id)) failed.push(id);
    });
    return failed;
  }

  /** Cancels the calls that no runtime has claimed, and fails the campaign, in one transaction. */
  private failOne(campaignId: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const campaign = await this.campaigns.lockWithoutAgent(campaignId, transaction);
      if (!campaign) return false;
      const calls = await this.campaigns.lockQueuedCalls(campaignId, transaction);
      await this.calls.cancelQueued(campaign, calls, transaction);
      return this.campaigns.failWithoutAgent(campaignId, calls.length > 0, transaction);
    });
  }
}
