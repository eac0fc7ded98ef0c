import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { toolsBusy } from '../tools/tools.errors';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { keyReused } from '../../accounts/idempotency/idempotency.errors';
import { IdempotencyKey } from '../../accounts/idempotency/idempotent-request';
import { type Caller, CurrentCaller, ScopeFiltered, SomeCall } from '../../platform/http/access';
import { ClientAbortSignal } from '../../platform/http/client-abort-signal';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { STATUS } from '../calls/model/call-states';
import { callEnded, callNotFound } from '../calls/model/calls.errors';
import {
  AskedInvocationDto,
  AskToolDto,
  InvocationDto,
  ListedInvocationDto,
  WaitQuery,
} from './tool-invocations.dto';
import {
  argumentsInvalid,
  invocationNotFound,
  invocationsLimitReached,
  notConfirmed,
  toolNotOfAgent,
} from './tool-invocations.errors';
import { ToolInvocationsService } from './tool-invocations.service';

@ApiTags('Tools')
@Controller('api/calls/:call_id/tools')
export class ToolInvocationsController {
  constructor(private readonly invocations: ToolInvocationsService) {}

  @Get()
  @ScopeFiltered()
  @ApiEnvelopeResponse({
    operationId: 'listInvocationsOfCall',
    summary: 'List the invocations of tools in a call',
    description:
      'Lists what the agent did in a call, in the order of the askings. Arguments and answers are kept for as long as ' +
      'transcripts.',
    status: 200,
    message: 'Invocations',
    data: ListedInvocationDto,
    list: true,
    errors: [callNotFound()],
  })
  list(@CurrentCaller() caller: Caller, @Param('call_id') callId: string) {
    return this.invocations.list(caller, callId);
  }

  @Post(':tool_name')
  @SomeCall()
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    description:
      'One an asking. A request that got no answer and is sent again with it gets the same invocation.',
  })
  @ApiRequestBody(AskToolDto)
  @ApiEnvelopeResponse({
    operationId: 'askTool',
    summary: 'Ask for a tool in a call',
    description:
      'For the runtime of a call, with the credential that came with its claim. The server records the asking, sends it, ' +
      'and settles it, whatever becomes of this request and of the call. The same asking for a tool with the effect ' +
      '`once` is the same invocation, unless it was refused or failed.',
    cost: 'No credits. A call has at most 100 invocations, and a workspace 20 at once.',
    status: 200,
    message: 'Invocation',
    data: AskedInvocationDto,
    errors: [
      toolNotOfAgent('book_table'),
      argumentsInvalid([{ field: 'body.arguments.day', message: 'day is missing' }]),
      keyReused(),
      notConfirmed(),
      callNotFound(),
      callEnded(STATUS.disconnected, 'given a tool'),
      invocationsLimitReached(),
      toolsBusy(),
    ],
  })
  ask(
    @CurrentCaller() caller: Caller,
    @Param('call_id') callId: string,
    @Param('tool_name') name: string,
    @Body() body: AskToolDto,
    @IdempotencyKey() key: string | undefined,
    @ClientAbortSignal() clientGone: AbortSignal,
  ) {
    return this.invocations.ask(caller, callId, name, body, { key, clientGone });
  }

  @Get('invocations/:invocation_id')
  @SomeCall()
  @ApiEnvelopeResponse({
    operationId: 'getInvocation',
    summary: 'Wait for an invocation of a tool',
    description:
      'For the runtime of a call: goes on waiting for an invocation, and returns what it is by then.',
    status: 200,
    message: 'Invocation',
    data: InvocationDto,
    errors: [invocationNotFound()],
  })
  get(
    @CurrentCaller() caller: Caller,
    @Param('call_id') callId: string,
    @Param('invocation_id') id: string,
    @Query() { wait_ms: waitMs }: WaitQuery,
    @ClientAbortSignal() clientGone: AbortSignal,
  ) {
    return this.invocations.get(caller, callId, id, { waitMs, clientGone });
  }
}
