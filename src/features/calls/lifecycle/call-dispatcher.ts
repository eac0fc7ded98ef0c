import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ApiError } from '../../../platform/http/errors';
import { leaveRequest } from '../../../platform/http/request-context';
import { AgentVersionsService } from '../../agents/agent-versions.service';
import { CONFIG, type Config } from '../../../config';
import { IdempotencyService } from '../../../accounts/idempotency/idempotency.service';
import { MessageBroker, PublishError } from '../../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../../platform/messaging/topology';
import { MESSAGE_TYPES } from '../../../platform/messaging/wire';
import {
  currentContext,
  currentTraceparent,
  isTracing,
  SpanKind,
  toContext,
  traceWork,
} from '../../../platform/tracing/tracing';
import type { AcceptedCall } from '../model/accepted-call';
import { createCallStart } from '../model/call-start.message';
import { dispatchFailed } from '../model/calls.errors';
import { CallsRepository } from './calls.repository';

/** Dispatched calls are marked together, in one statement for each interval. */
const MARK_INTERVAL_MS = 200;

/** Publishes accepted calls. */
@Injectable()
export class CallDispatcher implements OnApplicationShutdown {
  private readonly logger = new Logger(CallDispatcher.name);
  private dispatched: string[] = [];
  private marking: NodeJS.Timeout | undefined;

  constructor(
    private readonly broker: MessageBroker,
    private readonly calls: CallsRepository,
    private readonly versions: AgentVersionsService,
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  /**
   * Publishes the call of the current request, or cancels it. A publish that was not confirmed may have arrived: the
   * cancel and a runtime's claim both require the status `queued`, so that only one of them succeeds.
   * @throws 500 if the call was cancelled and its hold released, or if that failed
   */
  async dispatch(call: AcceptedCall): Promise<void> {
    try {
      await this.send(call);
    } catch (error) {
      const reason = error instanceof PublishError ? error.message : 'The call could not be published.';
      this.logger.warn({ err: error, conversationId: call.id }, 'The broker did not confirm a call');
      const failure = dispatchFailed(`${reason} Nothing was charged.`);
      const isCancelled = await this.cancel(call.id, failure).catch((cancelError: unknown) => {
        throw this.cancelFailed(call.id, reason, cancelError);
      });
      if (isCancelled) throw failure;
    }
  }

  /**
   * Publishes a call without a request that waits for it. Cancels a call that is too large, which another attempt would
   * not change.
   * @throws PublishError, after which the sweeper tries again
   */
  async publish(call: AcceptedCall): Promise<void> {
    try {
      await this.send(call);
    } catch (error) {
      if (!(error instanceof PublishError) || error.reason !== 'too_large') throw error;
      this.logger.error(
        { err: error, conversationId: call.id },
        'Cancelled a call that is too large to publish',
      );
      await this.calls.cancelUnconfirmed(call.id);
    }
  }

  /** A call that is published again belongs to the span that started it. */
  private send(call: AcceptedCall): Promise<void> {
    if (!isTracing()) return this.publishStart(call);
    const parent = currentContext() ?? toContext(call.request.traceparent);
    const options = {
      kind: SpanKind.PRODUCER,
      attributes: {
        'messaging.system': this.broker.kind,
        'messaging.operation.name': 'publish',
        'messaging.operation.type': 'send',
        'messaging.destination.name': this.topology.calls,
        'parley.call_id': call.id,
        'parley.workspace_id': call.workspaceId,
        'parley.agent_id': call.agentId,
      },
      ...(parent && { parent }),
    };
    return traceWork(`publish ${MESSAGE_TYPES.callStart}`, options, () => this.publishStart(call));
  }

  private async publishStart(call: AcceptedCall): Promise<void> {
    const pool = `${call.channel}.${call.agentId}`;
    const start = createCallStart(call, await this.versions.getConfiguration(call));
    await this.broker.publish({
      exchange: this.topology.calls,
      routingKey: `call.start.${pool}`,
      // The routing keys let a runtime pool receive the calls of one workspace, or of one type, only.
      ccRoutingKeys: [
        `call.start.${call.workspaceId}.${pool}`,
        `call.${call.callType}.${call.workspaceId}.${pool}`,
      ],
      type: MESSAGE_TYPES.callStart,
      messageId: call.id,
      body: { ...start, traceparent: currentTraceparent() || start.traceparent },
      expirationMs: Math.max(1, call.timeLeftMs),
    });
    this.dispatched.push(call.id);
    // The timer runs outside of the request's context, because it marks the calls of all workspaces.
    this.marking ??= leaveRequest(() => setTimeout(() => void this.markDispatched(), MARK_INTERVAL_MS));
  }

  // All requests have been answered at this point.
  async onApplicationShutdown(): Promise<void> {
    await this.markDispatched();
  }

  /** A failure costs only a second publish by the sweeper, which the claim makes harmless. */
  private async markDispatched(): Promise<void> {
    clearTimeout(this.marking);
    this.marking = undefined;
    const ids = this.dispatched.splice(0);
    if (ids.length === 0) return;
    await this.calls.markDispatched(ids).catch((error: unknown) => {
      this.logger.warn({ err: error, calls: ids.length }, 'Dispatched calls could not be marked');
    });
  }

  /** @returns false if a runtime has claimed the call, or a retry of the request has got its success already */
  private cancel(id: string, failure: ApiError): Promise<boolean> {
    const attempt = this.idempotency.currentAttempt;
    if (!attempt) return this.calls.cancelUnconfirmed(id);
    return this.idempotency.replaceByFailure(attempt, failure, (transaction) =>
      this.calls.cancelUnconfirmed(id, transaction),
    );
  }

  private cancelFailed(id: string, reason: string, error: unknown): ApiError {
    this.logger.error(
      { err: error, conversationId: id },
      'A call could not be cancelled; it will be published again or expire',
    );
    return dispatchFailed(
      `${reason} The database could not be reached to cancel the call, so it may still be placed within ` +
        `${this.config.CALL_TTL_SECONDS} s. The status of conversation ${id} shows whether it was.`,
    );
  }
}
