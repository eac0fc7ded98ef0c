import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AgentScoped, type Caller, CurrentCaller, Unscoped } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
import { ApiRequestBody } from '../http/request-body';
import { Idempotent } from '../idempotency/idempotent';
import { knowledgeBaseNotFound } from '../knowledge-base/knowledge-base.errors';
import { GivenPhoneNumberDto } from '../phone-numbers/phone-numbers.dto';
import { numberUnavailable } from '../phone-numbers/phone-numbers.errors';
import { quotaReached } from '../workspaces/workspaces.errors';
import {
  AgentDto,
  AgentSummaryDto,
  AssignedPhoneNumberDto,
  CreatedAgentDto,
  UpdatedAgentDto,
} from './agent-answers.dto';
import { CreateAgentDto, ListAgentsQuery, UpdateAgentDto } from './agents.dto';
import {
  agentOutcomeUnknown,
  agentNotFound,
  noActiveSubscription,
  promptTemplateNotFound,
} from './agents.errors';
import { AgentsService } from './agents.service';

@ApiTags('Agents')
@Controller('api/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Post()
  @Unscoped()
  @ApiRequestBody(CreateAgentDto)
  @Idempotent({ unknownOutcome: agentOutcomeUnknown })
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Agent created',
    data: CreatedAgentDto,
    errors: [
      noActiveSubscription(),
      quotaReached('agents', { limit: 100, used: 100 }),
      promptTemplateNotFound(),
      knowledgeBaseNotFound(),
    ],
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateAgentDto) {
    return this.agents.create(caller, body);
  }

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Agents',
    data: AgentSummaryDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAgentsQuery) {
    return this.agents.list(caller.workspaceId, query);
  }

  @Get(':agent_id')
  @AgentScoped()
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Agent',
    data: AgentDto,
    list: true,
    errors: [agentNotFound()],
  })
  get(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string) {
    return this.agents.get(caller.workspaceId, agentId);
  }

  @Put(':agent_id')
  @Unscoped()
  @ApiRequestBody(UpdateAgentDto)
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Agent updated',
    data: UpdatedAgentDto,
    errors: [agentNotFound(), knowledgeBaseNotFound()],
  })
  update(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Body() body: UpdateAgentDto) {
    return this.agents.update(caller.workspaceId, agentId, body);
  }

  @Delete(':agent_id')
  @Unscoped()
  @ApiEnvelopeResponse({ status: 200, message: 'Agent deleted', errors: [agentNotFound()] })
  remove(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string) {
    return this.agents.remove(caller.workspaceId, agentId);
  }

  @Put(':agent_id/phone-number')
  @Unscoped()
  @ApiRequestBody(GivenPhoneNumberDto)
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Phone number assigned',
    data: AssignedPhoneNumberDto,
    errors: [numberUnavailable(), quotaReached('phone_numbers', { limit: 100, used: 100 }), agentNotFound()],
  })
  assignPhoneNumber(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: GivenPhoneNumberDto,
  ) {
    return this.agents.assignPhoneNumber(caller.workspaceId, agentId, body.phone_number);
  }
}
