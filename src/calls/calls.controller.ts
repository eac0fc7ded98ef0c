import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { agentNotFound } from '../agents/agents.errors';
import { AgentScoped, type Caller, CurrentCaller } from '../http/access';
import { Answers } from '../http/envelope';
import { Takes } from '../http/request-body';
import { CONFIG, type Config, defaultOf } from '../config';
import { IdempotencyService } from '../idempotency/idempotency.service';
import { IdempotencyKey, type KeyedRequest } from '../idempotency/idempotent-request';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { DIALLED_OR_WEBCALL, StartCallDto, StartedCallDto } from './calls.dto';
import {
  acceptInDoubt,
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
  @Takes(StartCallDto, DIALLED_OR_WEBCALL)
  @Answers({
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
      acceptInDoubt(defaultOf('CALL_TTL_SECONDS')),
    ],
  })
  start(
    @IdempotencyKey() request: KeyedRequest | undefined,
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: StartCallDto,
  ) {
    return this.idempotency.once(
      request,
      (attempt) => this.calls.start(caller, agentId, body, attempt),
      () => acceptInDoubt(this.config.CALL_TTL_SECONDS),
    );
  }
}
