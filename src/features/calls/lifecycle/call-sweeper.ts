import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { CONFIG, type Config } from '../../../config';
import { MessageBroker } from '../../../platform/messaging/message-broker';
import { CallDispatcher } from './call-dispatcher';
import { CallsRepository, type FoundCall, REPUBLISH_BATCH, SWEEP_BATCH } from './calls.repository';
import { HeartbeatGracePeriod } from './heartbeat-grace-period';

/** The number of calls that are ended at once. It is low, so that requests find free connections. */
const CONCURRENCY = 4;

/**
 * Finds the calls that a crash or an outage left behind: publishes again those whose publish was not confirmed, and ends
 * those that no runtime claimed in time, that nobody joined, or whose runtime is silent. Any number of sweepers may run:
 * each statement changes a call only in the state that it was found in.
 */
@Injectable()
export class CallSweeper implements OnApplicationBootstrap {
  private readonly logger = new Logger(CallSweeper.name);
  private readonly gracePeriod: HeartbeatGracePeriod;

  constructor(
    private readonly calls: CallsRepository,
    private readonly broker: MessageBroker,
    private readonly dispatcher: CallDispatcher,
    private readonly loops: BackgroundLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.gracePeriod = new HeartbeatGracePeriod(broker, config);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.broker.losesMessagesOnExit) await this.calls.clearDispatches();
    this.loops.start(
      () => this.sweep(),
      this.config.SWEEP_INTERVAL_MS,
      'A sweep failed; the next one follows',
    );
  }

  private async sweep(): Promise<void> {
    await this.cancelSuspended();
    await this.republish();
    await this.expire();
    await this.endLost();
  }

  private cancelSuspended(): Promise<void> {
    return this.forEach(
      () => this.calls.findQueuedOfSuspended(),
      async ({ id }) => {
        const isCancelled = await this.calls.cancelSuspended(id);
        if (isCancelled) this.logger.log({ conversationId: id }, 'Cancelled a call of a suspended workspace');
      },
    );
  }

  /** Publishes in batches, until no call is left or the broker does not confirm one. */
  private republish(): Promise<void> {
    return this.loops.inBatches(REPUBLISH_BATCH, async () => {
      const calls = await this.calls.takeUndispatched();
      const outcomes = await Promise.allSettled(calls.map((call) => this.dispatcher.publish(call)));
      const failed = outcomes.filter(({ status }) => status === 'rejected').length;
      if (calls.length > 0)
        this.logger.log({ published: calls.length - failed, failed }, 'Published calls again');
      return failed > 0 ? 0 : calls.length;
    });
  }

  private expire(): Promise<void> {
    return this.forEach(
      () => this.calls.findUnclaimed(),
      async ({ id }) => {
        const hasExpired = await this.calls.expire(id);
        if (hasExpired) this.logger.warn({ conversationId: id }, 'No runtime claimed a call in time');
      },
    );
  }

  private async endLost(): Promise<void> {
    if (!(await this.gracePeriod.isOver())) return;
    const leaseSeconds = this.config.LEASE_SECONDS;
    await this.forEach(
      () => this.calls.findLost(leaseSeconds),
      async (call) => {
        const isLost = await this.calls.endLost(call, leaseSeconds);
        if (isLost)
          this.logger.warn(
            { conversationId: call.id, status: call.status },
            'Ended a call whose runtime is silent',
          );
      },
    );
    // These calls follow the lost ones, which a late report corrects: a runtime that was cut off may have
    // connected its call.
    await this.forEach(
      () => this.calls.findUnjoined(),
      async ({ id }) => {
        const hasFailed = await this.calls.failUnjoined(id);
        if (hasFailed) this.logger.warn({ conversationId: id }, 'Ended a web call that nobody joined');
      },
    );
  }

  /** Ends calls in batches until none is left, a few at once. */
  private forEach(find: () => Promise<FoundCall[]>, end: (call: FoundCall) => Promise<void>): Promise<void> {
    return this.loops.inBatches(SWEEP_BATCH, async () => {
      const calls = await find();
      const rest = calls.values();
      const endRest = async () => {
        for (const call of rest) await end(call);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, endRest));
      return calls.length;
    });
  }
}
