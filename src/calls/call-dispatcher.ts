import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ApiError } from '../http/errors';
import { requestContext } from '../http/request-context';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql, sqlOf } from '../database/sql';
import { IdempotencyService } from '../idempotency/idempotency.service';
import type { IdempotentAttempt } from '../idempotency/idempotent-attempt';
import { MessageBroker, PublishFailed } from '../messaging/message-broker';
import { TOPOLOGY, type Topology } from '../messaging/topology';
import { MESSAGE_TYPES } from '../messaging/wire';
import { callStartOf } from './call-start.message';
import { dispatchFailed } from './calls.errors';
import { CANCEL_UNCONFIRMED } from './end-call.sql';
import type { AcceptedCall } from './start-call.sql';

const MARK_DISPATCHED: Statement = {
  name: 'mark-dispatched',
  text: 'UPDATE conversations SET dispatched_at = now() WHERE id = ANY($1) AND dispatched_at IS NULL',
};

/** How long dispatched calls wait to be marked as such, many in one statement. */
const MARK_EVERY_MS = 200;

/** Hands accepted calls to the broker. */
@Injectable()
export class CallDispatcher implements OnApplicationShutdown {
  private readonly logger = new Logger(CallDispatcher.name);
  private dispatched: string[] = [];
  private marking: NodeJS.Timeout | undefined;

  constructor(
    private readonly broker: MessageBroker,
    private readonly sql: Sql,
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  /**
   * Publishes a call that was just accepted, or takes it back.
   *
   * A publish that was not confirmed may have arrived all the same. The cancel is therefore fenced by the call's
   * status: whichever comes first, the cancel or a runtime's claim, the other finds nothing.
   * @param attempt whose answer it is, where the request has a key: the cancel makes it the failure
   * @throws 500 once the call is cancelled and its hold given back.
   */
  async dispatch(call: AcceptedCall, attempt?: IdempotentAttempt): Promise<void> {
    try {
      await this.send(call);
    } catch (error) {
      const reason = error instanceof PublishFailed ? error.message : 'The call could not be published.';
      this.logger.warn({ err: error, conversationId: call.id }, 'A call was not confirmed by the broker');
      const failure = dispatchFailed(`${reason} Nothing was charged.`);
      const isCancelled = await this.cancel(call.id, failure, attempt).catch((problem: unknown) => {
        throw this.notCancelled(call.id, reason, problem);
      });
      if (isCancelled) throw failure;
    }
  }

  /**
   * Publishes a call for which no request waits. One that is too large for every further attempt too is cancelled.
   * @throws PublishFailed where the sweeper is to try again
   */
  async publish(call: AcceptedCall): Promise<void> {
    try {
      await this.send(call);
    } catch (error) {
      if (!(error instanceof PublishFailed) || error.reason !== 'too_large') throw error;
      this.logger.error(
        { err: error, conversationId: call.id },
        'Cancelled a call that is too large to publish',
      );
      await this.sql.run(CANCEL_UNCONFIRMED, [call.id]);
    }
  }

  private async send(call: AcceptedCall): Promise<void> {
    const pool = `${call.channel}.${call.agentId}`;
    await this.broker.publish({
      exchange: this.topology.calls,
      routingKey: `call.start.${pool}`,
      // By which a pool can be bound to the calls of one workspace.
      ccRoutingKeys: [`call.start.${call.workspaceId}.${pool}`],
      type: MESSAGE_TYPES.callStart,
      messageId: call.id,
      body: callStartOf(call),
      expirationMs: Math.max(1, call.timeLeftMs),
    });
    this.dispatched.push(call.id);
    // The marks are those of all workspaces.
    this.marking ??= requestContext.exit(() => setTimeout(() => void this.markDispatched(), MARK_EVERY_MS));
  }

  // By now the last request has been answered.
  async onApplicationShutdown(): Promise<void> {
    await this.markDispatched();
  }

  /** A mark that fails is no loss: the sweeper publishes the call again, and the claim makes that harmless. */
  private async markDispatched(): Promise<void> {
    clearTimeout(this.marking);
    this.marking = undefined;
    const ids = this.dispatched.splice(0);
    if (ids.length === 0) return;
    await this.sql.run(MARK_DISPATCHED, [ids]).catch((error: unknown) => {
      this.logger.warn({ err: error, calls: ids.length }, 'Dispatched calls could not be marked');
    });
  }

  /** False: a runtime has claimed the call, or a retry was told of it already; it lives on. */
  private async cancel(id: string, failure: ApiError, attempt?: IdempotentAttempt): Promise<boolean> {
    if (!attempt) return (await this.sql.run(CANCEL_UNCONFIRMED, [id])).length > 0;
    return this.idempotency.replaceByFailure(attempt, failure, async ({ manager }) => {
      const sql = await sqlOf(manager);
      return (await sql.run(CANCEL_UNCONFIRMED, [id])).length > 0;
    });
  }

  private notCancelled(id: string, reason: string, error: unknown): ApiError {
    this.logger.error(
      { err: error, conversationId: id },
      'A call could not be cancelled; the sweeper will see to it',
    );
    return dispatchFailed(
      `${reason} The database could not be asked to cancel either: the call may still be placed within ` +
        `${this.config.CALL_TTL_SECONDS} s. Conversation ${id} tells.`,
    );
  }
}
