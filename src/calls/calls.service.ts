import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { agentNotFound, agentSwitchedOff } from '../agents/agents.errors';
import type { Caller } from '../http/access';
import type { ApiError } from '../http/errors';
import { CONFIG, type Config } from '../config';
import { Database } from '../database/database';
import { requestInProgress } from '../idempotency/idempotency.errors';
import { IdempotencyService } from '../idempotency/idempotency.service';
import type { IdempotentAttempt } from '../idempotency/idempotent-attempt';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { acceptCall, isRefusal, type Refusal } from './accept-call';
import { CallDispatcher } from './call-dispatcher';
import type { StartCallDto, StartedCallDto } from './calls.dto';
import {
  creditsPerDayReached,
  destinationNotAllowed,
  insufficientCredits,
  tooManyCalls,
} from './calls.errors';
import { presentStarted } from './calls.presenter';
import type { CallRequest } from './conversation.entity';
import { destinationRulesOf, isAllowedDestination } from './destinations';
import type { AcceptedCall, NewCall } from './start-call.sql';

@Injectable()
export class CallsService {
  constructor(
    private readonly database: Database,
    private readonly idempotency: IdempotencyService,
    private readonly dispatcher: CallDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async start(caller: Caller, agentId: string, body: StartCallDto): Promise<StartedCallDto> {
    const attempt = this.idempotency.currentAttempt;
    const call = await this.accept(caller, agentId, body, attempt);
    await this.dispatcher.dispatch(call, attempt);
    return presentStarted(call.id);
  }

  private async accept(
    { workspaceId, userId }: Caller,
    agentId: string,
    body: StartCallDto,
    attempt: IdempotentAttempt | undefined,
  ): Promise<AcceptedCall> {
    if (!isUUID(agentId)) throw agentNotFound();
    if (body.to_number && !isAllowedDestination(body.to_number, destinationRulesOf(this.config))) {
      throw destinationNotAllowed();
    }
    const request: CallRequest = {
      greeting: body.greeting ?? '',
      dynamic_variables: body.dynamic_variables ?? {},
      customer_name: body.customer_name ?? '',
      webhook_url: body.webhook_url ?? '',
      external_id: body.external_id ?? '',
      memory_id: body.memory_id ?? '',
      style: body.style ?? '',
    };
    const call: NewCall = {
      workspaceId,
      agentId,
      userId,
      campaignId: null,
      callType: body.call_type,
      direction: body.direction,
      channel: body.channel ?? null,
      toNumber: body.to_number ?? '',
      request,
      ttlSeconds: this.config.CALL_TTL_SECONDS,
      workspaceConcurrency: this.config.WORKSPACE_CONCURRENCY,
    };
    const accepted = await acceptCall(this.database, call, attempt);
    if (isRefusal(accepted)) throw errorOf(accepted);
    return accepted;
  }
}

function errorOf({ reason, limit = 0 }: Refusal): ApiError {
  const errors: Record<Refusal['reason'], () => ApiError> = {
    'no agent': agentNotFound,
    'agent off': agentSwitchedOff,
    'taken over': requestInProgress,
    suspended: workspaceSuspended,
    'no credits': insufficientCredits,
    'no credits today': () => creditsPerDayReached(limit),
    'too many calls': () => tooManyCalls(limit),
  };
  return errors[reason]();
}
