import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Repetition } from '../common/repetition';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';
import { MessageBroker } from '../messaging/message-broker';
import { CallDispatcher } from './call-dispatcher';
import type { Conversation } from './conversation.entity';
import { EXPIRE_UNCLAIMED, LOSE_AFTER_CONNECT, LOSE_BEFORE_CONNECT } from './end-call.sql';
import { ACCEPTED_CALL_COLUMNS, type AcceptedCall } from './start-call.sql';
import { Vigil } from './vigil';

/** Past the publish's own time limit with room to spare, so that a call under dispatch is left alone. */
const REPUBLISH_AFTER_SECONDS = 5;

const BATCH = 100;

const ENDED_AT_ONCE = 4;

type FoundCall = Pick<Conversation, 'id' | 'status'>;

/** Takes calls for another publish; a sweeper beside this one skips them now and finds them too young after. */
const TAKE_UNDISPATCHED: Statement = {
  name: 'take-undispatched-calls',
  text: `
    UPDATE conversations SET last_publish_at = now()
    WHERE id IN (
      SELECT id FROM conversations
      WHERE status = 'queued' AND dispatched_at IS NULL AND expires_at > now()
        AND last_publish_at <= now() - ${REPUBLISH_AFTER_SECONDS} * interval '1 second'
      ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING ${ACCEPTED_CALL_COLUMNS}`,
};

const FORGET_DISPATCHES: Statement = {
  name: 'forget-dispatches',
  text: `UPDATE conversations SET dispatched_at = NULL WHERE status = 'queued' AND dispatched_at IS NOT NULL`,
};

const FIND_UNCLAIMED: Statement = {
  name: 'find-unclaimed-calls',
  text: `SELECT id, status FROM conversations WHERE status = 'queued' AND expires_at <= now() ORDER BY expires_at LIMIT ${BATCH}`,
};

const FIND_LOST: Statement = {
  name: 'find-lost-calls',
  text: `
    SELECT id, status FROM conversations
    WHERE status IN ('accepted', 'connected') AND heartbeat_at <= now() - $1 * interval '1 second'
    ORDER BY heartbeat_at LIMIT ${BATCH}`,
};

/**
 * Finds the calls that a crash or a silence left behind: publishes again what nobody is known to have published, and
 * ends what nobody claimed in time or nobody speaks for any more. Any number of sweepers may run: each step is
 * fenced by the row's own state.
 */
@Injectable()
export class CallSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CallSweeper.name);
  private readonly sweeps = new Repetition();
  private readonly vigil: Vigil;

  constructor(
    private readonly sql: Sql,
    private readonly broker: MessageBroker,
    private readonly dispatcher: CallDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.vigil = new Vigil(broker, config);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.ROLES.includes('background')) return;
    // The in-process broker's queues died with the last process.
    if (this.broker.kind === 'in-process') await this.sql.run(FORGET_DISPATCHES);
    this.sweeps.start(
      () => this.sweep(),
      this.config.SWEEP_INTERVAL_MS,
      (error) => this.logger.warn({ err: error }, 'A sweep failed; the next one follows'),
    );
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeps.stop();
  }

  private async sweep(): Promise<void> {
    await this.republish();
    await this.expire();
    await this.giveUpLost();
  }

  private async republish(): Promise<void> {
    const calls = await this.sql.run<AcceptedCall>(TAKE_UNDISPATCHED);
    const outcomes = await Promise.allSettled(calls.map((call) => this.dispatcher.publish(call)));
    const refused = outcomes.filter(({ status }) => status === 'rejected').length;
    if (calls.length > 0)
      this.logger.log({ published: calls.length - refused, refused }, 'Published calls again');
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
    return this.sweeps.inBatches(BATCH, async () => {
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
