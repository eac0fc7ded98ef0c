import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
import { HangUpDto } from './calls.dto';
import { callEnded, conversationNotFound } from './calls.errors';
import { HangUpService } from './hang-up.service';

@ApiTags('Agents')
@Controller('api/agents/:agent_id/conversations/:conversation_id/hangup')
export class HangUpController {
  constructor(private readonly hangUps: HangUpService) {}

  @Post()
  @Unscoped()
  @ApiEnvelopeResponse({
    status: 202,
    message: 'Hang-up requested',
    data: HangUpDto,
    errors: [conversationNotFound(), callEnded('disconnected')],
  })
  hangUp(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Param('conversation_id') conversationId: string,
  ) {
    return this.hangUps.hangUp(caller.workspaceId, agentId, conversationId);
  }
}
