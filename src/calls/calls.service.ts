import { Inject, Injectable, Logger } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { agentNotFound, agentSwitchedOff } from '../agents/agents.errors';
import type { Caller } from '../common/access';
import type { ApiError } from '../common/errors';
import { requestUnderWay } from '../common/idempotency-answers';
import { CONFIG, type Config } from '../config';
import { isInDoubt } from '../database/in-doubt';
import { Sql } from '../database/sql';
import type { Attempt } from '../idempotency/attempt';
import { acceptCall, type NewCall } from './accept-call';
import { CallDispatcher } from './call-dispatcher';
import { presentStarted, type StartCallDto, type StartedCallDto } from './calls.dto';
import { acceptInDoubt, insufficientCredits, tooManyCalls } from './calls.errors';
import type { CallRequest } from './conversation.entity';
import type { AcceptedCall } from './start-call.sql';

@Injectable()
export class CallsService {
  private readonly logger = new Logger(CallsService.name);

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
    const accepted = await acceptCall(this.sql, call, attempt).catch((error: unknown) => {
      throw isInDoubt(error) ? this.acceptInDoubt(error) : error;
    });
    if (accepted === 'no agent') throw agentNotFound();
    if (accepted === 'agent off') throw agentSwitchedOff();
    if (accepted === 'no credits') throw insufficientCredits();
    if (accepted === 'too many calls') throw tooManyCalls(this.config.WORKSPACE_CONCURRENCY);
    if (accepted === 'taken over') throw requestUnderWay();
    return accepted;
  }

  /** If it was committed, it is a call like one whose server was killed at this point: a sweeper publishes it. */
  private acceptInDoubt(error: unknown): ApiError {
    this.logger.error({ err: error }, 'The database was lost while it accepted a call');
    return acceptInDoubt(this.config.CALL_TTL_SECONDS);
  }
}
