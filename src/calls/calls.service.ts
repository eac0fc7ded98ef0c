import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { agentNotFound, agentSwitchedOff } from '../agents/agents.errors';
import type { Caller } from '../common/access';
import { requestUnderWay } from '../common/idempotency-answers';
import { CONFIG, type Config } from '../config';
import { Sql } from '../database/sql';
import type { Attempt } from '../idempotency/attempt';
import { acceptCall, type NewCall } from './accept-call';
import { CallDispatcher } from './call-dispatcher';
import type { StartCallDto, StartedCallDto } from './calls.dto';
import { insufficientCredits, tooManyCalls } from './calls.errors';
import { presentStarted } from './calls.presenter';
import type { CallRequest } from './conversation.entity';
import type { AcceptedCall } from './start-call.sql';

@Injectable()
export class CallsService {
  constructor(
    private readonly sql: Sql,
    private readonly dispatcher: CallDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async start(
    caller: Caller,
    agentId: string,
    body: StartCallDto,
    attempt?: Attempt,
  ): Promise<StartedCallDto> {
    const call = await this.accept(caller, agentId, body, attempt);
    await this.dispatcher.dispatch(call, attempt);
    return presentStarted(call.id);
  }

  private async accept(
    { workspaceId, userId }: Caller,
    agentId: string,
    body: StartCallDto,
    attempt: Attempt | undefined,
  ): Promise<AcceptedCall> {
    if (!isUUID(agentId)) throw agentNotFound();
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
    const accepted = await acceptCall(this.sql, call, attempt);
    if (accepted === 'no agent') throw agentNotFound();
    if (accepted === 'agent off') throw agentSwitchedOff();
    if (accepted === 'no credits') throw insufficientCredits();
    if (accepted === 'too many calls') throw tooManyCalls(this.config.WORKSPACE_CONCURRENCY);
    if (accepted === 'taken over') throw requestUnderWay();
    return accepted;
  }
}
