import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { agentNotFound } from '../agents/agents.errors';
import { AgentScoped, type Caller, CurrentCaller } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
import { ApiRequestBody } from '../http/request-body';
import { CONFIG, type Config, defaultOf } from '../config';
import { IdempotencyService } from '../idempotency/idempotency.service';
import { IdempotencyKey, type IdempotentRequest } from '../idempotency/idempotent-request';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { DIALLED_OR_WEBCALL, StartCallDto, StartedCallDto } from './calls.dto';
import {
  acceptOutcomeUnknown,
  creditsPerDayReached,
  destinationNotAllowed,
  dispatchFailed,
  insufficientCredits,
  tooManyCalls,
} from './calls.errors';
import { CallsService } from './calls.service';

@ApiTags('Agents')
@Controller('api/agents/:agent_id/calls')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @AgentScoped()
  @ApiRequestBody(StartCallDto, DIALLED_OR_WEBCALL)
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Call started',
    data: StartedCallDto,
    idempotent: true,
    errors: [
      destinationNotAllowed(),
      insufficientCredits(),
      workspaceSuspended(),
      creditsPerDayReached(1_000),
      agentNotFound(),
      tooManyCalls(100),
      dispatchFailed('The broker did not take the call. Nothing was charged.'),
      acceptOutcomeUnknown(defaultOf('CALL_TTL_SECONDS')),
    ],
  })
  start(
    @IdempotencyKey() request: IdempotentRequest | undefined,
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: StartCallDto,
  ) {
    return this.idempotency.once(
      request,
      (attempt) => this.calls.start(caller, agentId, body, attempt),
      () => acceptOutcomeUnknown(this.config.CALL_TTL_SECONDS),
    );
  }
}
