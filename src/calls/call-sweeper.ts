import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../background/background-loops';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';
import { MessageBroker } from '../messaging/message-broker';
import { CallDispatcher } from './call-dispatcher';
import type { Conversation } from './conversation.entity';
import { CANCEL_SUSPENDED, EXPIRE_UNCLAIMED, LOSE_AFTER_CONNECT, LOSE_BEFORE_CONNECT } from './end-call.sql';
import type { AcceptedCall } from './start-call.sql';
import {
  BATCH,
  FIND_LOST,
  FIND_SUSPENDED,
  FIND_UNCLAIMED,
  FORGET_DISPATCHES,
  PUBLISH_BATCH,
  TAKE_UNDISPATCHED,
} from './sweep-calls.sql';
import { HeartbeatGracePeriod } from './heartbeat-grace-period';

const ENDED_AT_ONCE = 4;

type FoundCall = Pick<Conversation, 'id' | 'status'>;

/**
 * Finds the calls that a crash or a silence left behind: publishes again what nobody is known to have published, and
 * ends what nobody claimed in time or nobody speaks for any more. Any number of sweepers may run: each step is
 * fenced by the row's own state.
 */
@Injectable()
export class CallSweeper implements OnApplicationBootstrap {
  private readonly logger = new Logger(CallSweeper.name);
  private readonly vigil: HeartbeatGracePeriod;

  constructor(
    private readonly sql: Sql,
    private readonly broker: MessageBroker,
    private readonly dispatcher: CallDispatcher,
    private readonly loops: BackgroundLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.vigil = new HeartbeatGracePeriod(broker, config);
  }

  async onApplicationBootstrap(): Promise<void> {
    // The in-process broker's queues died with the last process.
    if (this.broker.kind === 'in-process') await this.sql.run(FORGET_DISPATCHES);
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
    await this.giveUpLost();
  }

  private cancelSuspended(): Promise<void> {
    return this.endAll(FIND_SUSPENDED, [], async ({ id }) => {
      const [cancelled] = await this.sql.run(CANCEL_SUSPENDED, [id]);
      if (cancelled) this.logger.log({ conversationId: id }, 'Cancelled a call of a suspended workspace');
    });
  }

  /** Batch after batch, until none is left or the broker refuses one. */
  private republish(): Promise<void> {
    return this.loops.inBatches(PUBLISH_BATCH, async () => {
      const calls = await this.sql.run<AcceptedCall>(TAKE_UNDISPATCHED);
      const outcomes = await Promise.allSettled(calls.map((call) => this.dispatcher.publish(call)));
      const refused = outcomes.filter(({ status }) => status === 'rejected').length;
      if (calls.length > 0)
        this.logger.log({ published: calls.length - refused, refused }, 'Published calls again');
      return refused > 0 ? 0 : calls.length;
    });
  }

  private expire(): Promise<void> {
    return this.endAll(FIND_UNCLAIMED, [], async ({ id }) => {
      const [expired] = await this.sql.run(EXPIRE_UNCLAIMED, [id]);
      if (expired) this.logger.warn({ conversationId: id }, 'No runtime claimed a call in time');
    });
  }

  private async giveUpLost(): Promise<void> {
    if (!(await this.vigil.isLongEnough())) return;
    const lease = this.config.LEASE_SECONDS;
    await this.endAll(FIND_LOST, [lease], async ({ id, status }) => {
      const ending = status === 'connected' ? LOSE_AFTER_CONNECT : LOSE_BEFORE_CONNECT;
      const [lost] = await this.sql.run(ending, [id, lease]);
      if (lost) this.logger.warn({ conversationId: id, status }, 'The runtime of a call went silent');
    });
  }

  /** Batch after batch until none is left; in each a few at once, which leaves the pool to others. */
  private endAll(find: Statement, values: unknown[], end: (call: FoundCall) => Promise<void>): Promise<void> {
    return this.loops.inBatches(BATCH, async () => {
      const calls = await this.sql.run<FoundCall>(find, values);
      const rest = calls.values();
      const endRest = async () => {
        for (const call of rest) await end(call);
      };
      await Promise.all(Array.from({ length: ENDED_AT_ONCE }, endRest));
      return calls.length;
    });
  }
}
