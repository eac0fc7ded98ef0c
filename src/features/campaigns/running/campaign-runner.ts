import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { CONFIG, type Config } from '../../../config';
import { Database } from '../../../platform/database/database';
import { PublishError } from '../../../platform/messaging/message-broker';
import { BATCH, CampaignAdvancer } from './campaign-advancer';
import { CampaignCalls } from './campaign-calls';
import { CampaignWaiting } from './campaign-waiting';
import { CampaignZones } from '../plan/campaign-zones';
import { CampaignsRepository } from './campaigns.repository';

/**
 * Advances campaigns: starts those that are due, starts their calls, decides on further attempts, completes and fails
 * them. All state is in the database, so any number of runners can run, and a runner that is killed leaves nothing to
 * clean up.
 */
@Injectable()
export class CampaignRunner implements OnApplicationBootstrap {
  private readonly logger = new Logger(CampaignRunner.name);

  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly advancer: CampaignAdvancer,
    private readonly calls: CampaignCalls,
    private readonly zones: CampaignZones,
    private readonly waiting: CampaignWaiting,
    private readonly database: Database,
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
    await this.step('The ends of calls of a campaign were counted', () => this.settle(), 'debug');
    await this.step('Recipients of a campaign are not called any more', () => this.finish());
    await this.step('A campaign is complete', () => this.campaigns.completeEnded());
    await this.step(
      'The last call of an ended campaign has ended',
      () => this.campaigns.closeEnded(),
      'debug',
    );
    await this.step('A window opens next', () => this.zones.refresh(), 'debug');
    // Calls that are not accepted while the broker is unavailable cannot expire.
    await this.startCalls(await this.waiting.findStartable());
  }

  /**
   * A step that fails does not prevent the next ones.
   * @param advance returns the ids of the campaigns that it has changed
   */
  private async step(
    message: string,
    advance: () => Promise<string[]>,
    level: 'log' | 'debug' = 'log',
  ): Promise<void> {
    try {
      for (const id of await advance()) this.logger[level]({ campaignId: id }, message);
    } catch (error) {
      this.logger.error({ err: error }, 'A step of the campaign runner failed; the next attempt follows');
    }
  }

  /** A campaign that fails does not prevent the next ones, unless the broker is unavailable. */
  private async forEach<Item extends { id: string }>(
    campaigns: Item[],
    work: (campaign: Item) => Promise<void>,
  ): Promise<void> {
    for (const campaign of campaigns) {
      await work(campaign).catch((error: unknown) => {
        if (error instanceof PublishError) throw error;
        this.logger.error({ err: error, campaignId: campaign.id }, 'A campaign could not be advanced');
      });
    }
  }

  /**
   * Advances each campaign by one batch, then each by the next one, so that a large campaign does not delay the
   * others.
   */
  private async inTurns<Item extends { id: string }>(
    campaigns: Item[],
    rounds: number,
    advance: (campaign: Item) => Promise<boolean>,
  ): Promise<void> {
    let left = campaigns;
    for (let round = 0; round < rounds && left.length > 0 && !this.loops.areStopping; round++) {
      const unfinished: Item[] = [];
      await this.forEach(left, async (campaign) => {
        if (await advance(campaign)) unfinished.push(campaign);
      });
      left = unfinished;
    }
  }

  private startCalls(campaigns: { id: string }[]): Promise<void> {
    // The other steps run again after as many calls as a campaign may have in progress.
    const rounds = Math.ceil(this.config.CAMPAIGN_CONCURRENCY / BATCH);
    return this.inTurns(campaigns, rounds, ({ id }) => this.advancer.startBatch(id));
  }

  private async settle(): Promise<string[]> {
    const campaigns = await this.campaigns.findToSettle();
    await this.inTurns(campaigns, Infinity, ({ id }) => this.advancer.settle(id));
    return campaigns.map(({ id }) => id);
  }

  private async finish(): Promise<string[]> {
    const campaigns = await this.campaigns.findToFinish();
    await this.inTurns(campaigns, Infinity, ({ id, isCancelled }) => this.advancer.finish(id, isCancelled));
    return campaigns.map(({ id }) => id);
  }

  private async failWithoutAgent(): Promise<string[]> {
    const failed: string[] = [];
    await this.forEach(await this.campaigns.findWithoutAgent(), async ({ id }) => {
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
