import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  agentNotFound,
  agentNotPublished,
  agentSwitchedOff,
  agentVersionNotFound,
} from '../../agents/agents.errors';
import { numberListed } from '../../do-not-call/do-not-call.errors';
import { AgentScoped, type Caller, CurrentCaller, Unscoped } from '../../../platform/http/access';
import { getAbortSignal } from '../../../platform/http/client-abort-signal';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { ApiRequestBody } from '../../../platform/http/request-body';
import { SharesStatements } from '../../../platform/http/request.interceptor';
import { ApiTraceparent, Traceparent } from '../../../platform/http/traceparent';
import { Audited } from '../../../accounts/audit/audited';
import { Idempotent } from '../../../accounts/idempotency/idempotent';
import { workspaceSuspended } from '../../../accounts/workspaces/workspaces.errors';
import { STATUS } from '../model/call-states';
import { DIALLED_OR_WEBCALL, HangUpDto, StartCallDto, StartedCallDto } from './calls.dto';
import {
  acceptOutcomeUnknown,
  callEnded,
  callsPerDayReached,
  conversationNotFound,
  creditsPerDayReached,
  destinationNotAllowed,
  dispatchFailed,
  insufficientCredits,
  tooManyCalls,
} from '../model/calls.errors';
import { CallsService } from './calls.service';

@ApiTags('Calls')
@Controller('api/agents/:agent_id')
export class CallsController {
  constructor(private readonly calls: CallsService) {}

  @Post('calls')
  @AgentScoped({ operates: true })
  @SharesStatements()
  @ApiTraceparent()
  @ApiRequestBody(StartCallDto, DIALLED_OR_WEBCALL)
  @Idempotent({ unknownOutcome: ({ CALL_TTL_SECONDS }) => acceptOutcomeUnknown(CALL_TTL_SECONDS) })
  @ApiEnvelopeResponse({
    operationId: 'startCall',
    summary: 'Start a call',
    description:
      'Starts a call through the agent. The call is stored and published to the runtimes before the ' +
      'answer; a runtime places it afterwards, in the background. Send an Idempotency-Key to make a ' +
      'retry safe. Events of the call are sent to `webhook_url`. A webcall has no number: its answer waits up to ten ' +
      'seconds until a runtime has the call, and says in `join` where the person can join it.',
    cost:
      'Holds one credit. When the call ends, the hold becomes one credit for each started minute of ' +
      'connected time, and is given back if the call was never connected. Counts towards the limits of ' +
      'concurrent calls and of credits per day.',
    status: 200,
    message: 'Call started',
    data: StartedCallDto,
    errors: [
      agentSwitchedOff(),
      agentNotPublished(),
      destinationNotAllowed(),
      numberListed(),
      insufficientCredits(),
      workspaceSuspended(),
      creditsPerDayReached(1_000),
      callsPerDayReached(20, new Date('2026-03-03T00:00:00.000Z')),
      agentNotFound(),
      agentVersionNotFound(),
      tooManyCalls(100),
      dispatchFailed('The broker did not take the call. Nothing was charged.'),
    ],
  })
  start(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: StartCallDto,
    @Traceparent() traceparent: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.calls.start(caller, agentId, { ...body, traceparent }, () => getAbortSignal(response));
  }

  @Post('conversations/:conversation_id/hangup')
  @Unscoped({ operates: true })
  @Audited('call.hang_up_requested', ({ params }) => ({ id: params.conversation_id as string }))
  @ApiEnvelopeResponse({
    operationId: 'hangUpCall',
    summary: 'Hang up a call',
    description:
      'Cancels a call that no runtime has claimed yet, or asks the runtime that has it to hang up. The ' +
      'runtime hangs up in the background; the conversation shows when it did.',
    cost:
      'No credits. The call is charged for the time it was connected; a cancelled one gives its hold ' +
      'back.',
    status: 202,
    message: 'Hang-up requested',
    data: HangUpDto,
    errors: [conversationNotFound(), callEnded(STATUS.disconnected)],
  })
  hangUp(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Param('conversation_id') conversationId: string,
  ) {
    return this.calls.hangUp(caller, agentId, conversationId);
  }
}
