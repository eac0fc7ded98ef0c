import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { acceptCall, isRefusal } from '../calls/accept-call';
import { CallDispatcher } from '../calls/call-dispatcher';
import { destinationRulesOf, isAllowedDestination } from '../calls/destinations';
import { REFUSE_DESTINATION } from '../calls/end-call.sql';
import type { AcceptedCall } from '../calls/start-call.sql';
import { BackgroundLoops } from '../background/background-loops';
import { CONFIG, type Config } from '../config';
import { Database, type Transaction } from '../database/database';
import { Sql, sqlOf, type Statement } from '../database/sql';
import { MessageBroker, PublishFailed } from '../messaging/message-broker';
import type { Campaign } from './campaign.entity';
import type { CampaignRecipient } from './campaign-recipient.entity';
import {
  COMPLETE_ENDED,
  FIND_STARTABLE,
  LOCK_CAMPAIGN,
  MARK_CALLED,
  NEXT_RECIPIENTS,
  RUN_DUE,
} from './campaign-runner.sql';
import { failWithoutAgent } from './fail-without-agent';
import { FIND_WITHOUT_AGENT } from './fail-without-agent.sql';

/** Calls accepted in one transaction, for which the workspace's other calls wait some milliseconds. */
const BATCH = 10;

type LockedCampaign = Pick<Campaign, 'id' | 'workspaceId' | 'agentId' | 'userId'>;
type NextRecipient = Pick<CampaignRecipient, 'phoneNumber' | 'customerName' | 'dynamicVariables'>;

/**
 * Moves campaigns on: begins those that are due, starts calls while there is room, completes and fails. All it knows
 * is in the database, so any number of runners may run, and one that was killed leaves nothing to be taken over.
 */
@Injectable()
export class CampaignRunner implements OnApplicationBootstrap {
  private readonly logger = new Logger(CampaignRunner.name);

  constructor(
    private readonly sql: Sql,
    private readonly database: Database,
    private readonly broker: MessageBroker,
    private readonly dispatcher: CallDispatcher,
    private readonly loops: BackgroundLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.tick(),
      this.config.CAMPAIGN_INTERVAL_MS,
      'Campaigns could not be moved on; the next attempt follows',
    );
  }

  private async tick(): Promise<void> {
    await this.step(async () =>
      this.forEach(await this.sql.run(FIND_WITHOUT_AGENT), (id) => this.failWithoutAgent(id)),
    );
    await this.step(() => this.change(RUN_DUE, 'A campaign began'));
    await this.step(() => this.change(COMPLETE_ENDED, 'A campaign is complete'));
    const campaigns = await this.sql.run<{ id: string }>(FIND_STARTABLE, [
      this.config.CAMPAIGN_CONCURRENCY,
      this.config.WORKSPACE_CONCURRENCY,
    ]);
    if (campaigns.length === 0) return;
    // What is not accepted while the broker is away can't run out of time there.
    await this.broker.check();
    await this.forEach(campaigns, (id) => this.startCalls(id));
  }

  /** A step that fails does not keep the others from being done. */
  private async step(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      this.logger.error({ err: error }, 'A step of the campaigns failed; the next attempt follows');
    });
  }

  private async forEach(campaigns: { id: string }[], work: (id: string) => Promise<void>): Promise<void> {
    for (const { id } of campaigns) {
      await work(id).catch((error: unknown) => {
        if (error instanceof PublishFailed) throw error;
        this.logger.error({ err: error, campaignId: id }, 'A campaign could not be moved on; others are');
      });
    }
  }

  private async failWithoutAgent(id: string): Promise<void> {
    const hasFailed = await this.sql.transaction((sql) => failWithoutAgent(sql, id));
    if (hasFailed) this.logger.log({ campaignId: id }, 'A campaign failed: its agent was deleted');
  }

  private async change(statement: Statement, message: string): Promise<void> {
    for (const { id } of await this.sql.run<{ id: string }>(statement)) {
      this.logger.log({ campaignId: id }, message);
    }
  }

  /** As many as may be under way; more only at the next turn, so that quick calls don't keep other campaigns out. */
  private async startCalls(campaignId: string): Promise<void> {
    for (let room = this.config.CAMPAIGN_CONCURRENCY; room > 0 && !this.loops.areStopping; room -= BATCH) {
      const atMost = Math.min(BATCH, room);
      const calls = await this.database.transaction((transaction) =>
        this.acceptCalls(transaction, campaignId, atMost),
      );
      await this.publish(calls.filter(({ toNumber }) => this.isAllowed(toNumber)));
      if (calls.length < atMost) return;
    }
  }

  /** A call whose publish fails stays queued: the sweeper publishes it again, as after a crash at this point. */
  private async publish(calls: AcceptedCall[]): Promise<void> {
    const outcomes = await Promise.allSettled(calls.map((call) => this.dispatcher.publish(call)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }

  /**
   * The calls and the marks of their recipients are committed together, so that each recipient is called once. Calls to
   * destinations that are not allowed have ended already.
   */
  private async acceptCalls(
    transaction: Transaction,
    campaignId: string,
    atMost: number,
  ): Promise<AcceptedCall[]> {
    const sql = await sqlOf(transaction.manager);
    const [campaign] = await sql.run<LockedCampaign>(LOCK_CAMPAIGN, [campaignId]);
    if (!campaign) return [];
    const recipients = await sql.run<NextRecipient>(NEXT_RECIPIENTS, [
      campaignId,
      atMost,
      this.config.CAMPAIGN_CONCURRENCY,
    ]);
    const calls: AcceptedCall[] = [];
    for (const recipient of recipients) {
      const call = await this.accept(transaction, campaign, recipient);
      if (isRefusal(call)) break;
      // Settings may have changed since the file was read.
      if (!this.isAllowed(call.toNumber)) await sql.run(REFUSE_DESTINATION, [call.id]);
      calls.push(call);
    }
    const marked = await sql.run(MARK_CALLED, [
      campaignId,
      calls.map(({ toNumber }) => toNumber),
      calls.map(({ id }) => id),
    ]);
    if (marked.length !== calls.length) throw new Error('A recipient is called already.');
    return calls;
  }

  private isAllowed(number: string): boolean {
    return isAllowedDestination(number, destinationRulesOf(this.config));
  }

  private accept(transaction: Transaction, { id, ...campaign }: LockedCampaign, recipient: NextRecipient) {
    return acceptCall(transaction, {
      ...campaign,
      campaignId: id,
      callType: 'phonecall',
      direction: 'outbound',
      channel: null,
      toNumber: recipient.phoneNumber,
      request: {
        greeting: '',
        dynamic_variables: recipient.dynamicVariables,
        customer_name: recipient.customerName,
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
