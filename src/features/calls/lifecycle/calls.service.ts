import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { uuidv7 } from 'uuidv7';
import { agentNotFound, agentNotPublished, agentSwitchedOff } from '../../agents/agents.errors';
import { AgentVersionsService } from '../../agents/agent-versions.service';
import { outOfScope } from '../../../accounts/auth/auth.errors';
import { CONFIG, type Config } from '../../../config';
import { Database, type Transaction } from '../../../platform/database/database';
import { numberListed } from '../../do-not-call/do-not-call.errors';
import { agentsInScope, type Caller } from '../../../platform/http/access';
import { toActor } from '../../../platform/http/actor';
import type { ApiError } from '../../../platform/http/errors';
import { requestInProgress } from '../../../accounts/idempotency/idempotency.errors';
import { IdempotencyService } from '../../../accounts/idempotency/idempotency.service';
import { workspaceSuspended } from '../../../accounts/workspaces/workspaces.errors';
import { describeCurrentSpan } from '../../../platform/tracing/tracing';
import { type AcceptedCall, isRefusal, type NewCall, type Refusal } from '../model/accepted-call';
import { CallAcceptor } from './call-acceptor';
import { CallDispatcher } from './call-dispatcher';
import { JoinWaiters } from './join-waiters';
import { toCallRequest } from '../model/call-request';
import { CALL_TYPE, getDefaultChannel, HANG_UP_OUTCOME, STATUS } from '../model/call-states';
import type { HangUpDto, StartCallDto, StartedCallDto } from './calls.dto';
import {
  callEnded,
  conversationNotFound,
  callsPerDayReached,
  creditsPerDayReached,
  destinationNotAllowed,
  insufficientCredits,
  tooManyCalls,
} from '../model/calls.errors';
import { type CallOfAgent, CallsRepository } from './calls.repository';
import { getDestinationRules, isAllowedDestination } from '../../do-not-call/destinations';
import { RuntimeCommands } from './runtime-commands';

@Injectable()
export class CallsService {
  constructor(
    private readonly calls: CallsRepository,
    private readonly acceptor: CallAcceptor,
    private readonly idempotency: IdempotencyService,
    private readonly dispatcher: CallDispatcher,
    private readonly joins: JoinWaiters,
    private readonly versions: AgentVersionsService,
    private readonly commands: RuntimeCommands,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param clientGone aborted when the client closes the connection; called only if the request has to wait */
  async start(
    caller: Caller,
    agentId: string,
    body: StartCallDto & { traceparent: string },
    clientGone: () => AbortSignal,
  ): Promise<StartedCallDto> {
    const id = uuidv7();
    const isWebcall = body.call_type === CALL_TYPE.webcall;
    const started = { conversation_id: id, call_status: STATUS.queued, ...(isWebcall && { join: null }) };
    const call = this.toNewCall(caller, agentId, body);
    if (call.agentVersion) {
      // A credential of one agent uses what is published of it.
      if (agentsInScope(caller)) throw outOfScope();
      const { snapshot } = await this.versions.find(caller.workspaceId, agentId, call.agentVersion);
      call.channel ??= getDefaultChannel(String(snapshot.type));
    }
    const attempt = this.idempotency.currentAttempt;
    const keyed = attempt && { attempt, response: attempt.toResponse(started) };
    const outcome = await this.acceptor.accept(id, call, keyed);
    if (isRefusal(outcome)) throw toError(outcome);
    await this.dispatch(outcome);
    return isWebcall ? this.withJoin(caller.workspaceId, started, clientGone) : started;
  }

  /** Starts a call by phone as {@link start} does, in a transaction, in which the audit of the request is written. */
  async startRecorded(
    caller: Caller,
    agentId: string,
    body: StartCallDto & { traceparent: string },
  ): Promise<StartedCallDto> {
    const call = this.toNewCall(caller, agentId, body);
    const accepted: AcceptedCall[] = [];
    const started = await this.idempotency.transaction(async (transaction) => {
      const committed = await this.acceptWithin(call, transaction);
      accepted.push(committed);
      return { conversation_id: committed.id, call_status: STATUS.queued };
    });
    for (const committed of accepted) await this.dispatch(committed);
    return started;
  }

  /** Throws what {@link startRecorded} would throw until it publishes the call. Nothing is changed. */
  async rehearseStart(
    caller: Caller,
    agentId: string,
    body: StartCallDto & { traceparent: string },
  ): Promise<void> {
    const call = this.toNewCall(caller, agentId, body);
    await this.database.rehearse((transaction) => this.acceptWithin(call, transaction));
  }

  private async dispatch(call: AcceptedCall): Promise<void> {
    describeCurrentSpan({ 'parley.call_id': call.id, 'parley.agent_id': call.agentId });
    await this.dispatcher.dispatch(call);
  }

  private async acceptWithin(call: NewCall, transaction: Transaction): Promise<AcceptedCall> {
    if (!isUUID(call.agentId)) throw agentNotFound();
    const [outcome] = await this.acceptor.acceptAll([call], transaction);
    if (!outcome) throw new Error('Each call is decided on.');
    if (isRefusal(outcome)) throw toError(outcome);
    return outcome;
  }

  /**
   * Cancels a call that no runtime has claimed. Otherwise sends a hang-up request to the runtime that holds the call:
   * the request is stored with the call and sent again after each heartbeat. This also works for calls of deleted
   * agents.
   */
  async hangUp(caller: Caller, agentId: string, conversationId: string): Promise<HangUpDto> {
    const call = { workspaceId: caller.workspaceId, agentId, conversationId };
    const held = await this.database.transaction((transaction) =>
      this.cancelOrRequest(caller, call, transaction),
    );
    if (!held) {
      return { conversation_id: conversationId, status: STATUS.failed, hangup: HANG_UP_OUTCOME.cancelled };
    }
    const isSent = await this.commands.hangUp(held.workerId, conversationId);
    return {
      conversation_id: conversationId,
      status: held.status,
      hangup: isSent ? HANG_UP_OUTCOME.sent : HANG_UP_OUTCOME.pending,
    };
  }

  /** @returns the runtime that holds the call; null: the call is cancelled @throws 404, 409 */
  private async cancelOrRequest(caller: Caller, call: CallOfAgent, transaction: Transaction) {
    const actor = toActor(caller);
    if (await this.calls.cancelQueued(call, actor, transaction)) return null;
    const held = await this.calls.requestHangUp(call, actor, transaction);
    if (held) {
      // A request that is repeated is sent to the runtime again, and has changed nothing.
      if (!held.isFirst) transaction.change = null;
      return held;
    }
    const status = await this.calls.findStatus(call, transaction);
    throw status ? callEnded(status) : conversationNotFound();
  }

  /** Cancels the calls of a campaign that no runtime has claimed. @returns their ids */
  cancelQueuedOfCampaign(
    conversationIds: string[],
    agent: { workspaceId: string; agentId: string },
    transaction: Transaction,
  ): Promise<string[]> {
    return this.calls.cancelQueuedOfCampaign(conversationIds, agent, transaction);
  }

  /**
   * A request with an Idempotency-Key waits even when its client is gone, because a retry will ask for its answer.
   */
  private async withJoin(
    workspaceId: string,
    started: StartedCallDto,
    clientGone: () => AbortSignal,
  ): Promise<StartedCallDto> {
    const attempt = this.idempotency.currentAttempt;
    const join = await this.joins.wait(
      { workspaceId, id: started.conversation_id },
      attempt ? undefined : clientGone(),
    );
    if (!join) return started;
    const joinable = { ...started, join };
    if (!attempt) return joinable;
    return (await this.idempotency.replaceSuccess(attempt, joinable)) ? joinable : started;
  }

  private toNewCall(caller: Caller, agentId: string, body: StartCallDto & { traceparent: string }): NewCall {
    const { workspaceId, userId } = caller;
    if (body.to_number && !isAllowedDestination(body.to_number, getDestinationRules(this.config))) {
      throw destinationNotAllowed();
    }
    return {
      workspaceId,
      agentId,
      agentVersion: body.agent_version ?? null,
      userId,
      campaignId: null,
      startedBy: toActor(caller),
      capId: caller.credential.capId,
      callType: body.call_type,
      direction: body.direction,
      channel: body.channel ?? null,
      toNumber: body.to_number ?? '',
      request: toCallRequest(body),
      ttlSeconds: this.config.CALL_TTL_SECONDS,
    };
  }
}

function toError({ reason, limit = 0, resetsAt = new Date() }: Refusal): ApiError {
  const errors: Record<Refusal['reason'], () => ApiError> = {
    'no agent': agentNotFound,
    'agent off': agentSwitchedOff,
    'not published': agentNotPublished,
    'key lost': requestInProgress,
    'do not call': numberListed,
    'cap reached': () => callsPerDayReached(limit, resetsAt),
    suspended: workspaceSuspended,
    'no credits': insufficientCredits,
    'no credits today': () => creditsPerDayReached(limit),
    'too many calls': () => tooManyCalls(limit),
  };
  return errors[reason]();
}
