import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AgentScoped, type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { hasOneOf, MayScan } from '../../platform/http/may-scan';
import { ApiRequestBody } from '../../platform/http/request-body';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { knowledgeBaseNotFound } from '../knowledge-base/knowledge-base.errors';
import { PhoneNumberInputDto } from '../phone-numbers/phone-numbers.dto';
import { numberUnavailable } from '../phone-numbers/phone-numbers.errors';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import {
  AgentDto,
  AgentSummaryDto,
  AssignedPhoneNumberDto,
  CreatedAgentDto,
  UpdatedAgentDto,
} from './agent-responses.dto';
import { CreateAgentDto, ListAgentsQuery, UpdateAgentDto } from './agents.dto';
import {
  agentOutcomeUnknown,
  agentNotFound,
  agentTooLarge,
  noActiveSubscription,
  promptTemplateNotFound,
  transfersNotAllowed,
} from './agents.errors';
import type { NarrowAgent } from './agent.entity';
import { AgentsService } from './agents.service';

@ApiTags('Agents')
@Controller('api/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Post()
  @Unscoped()
  @ApiRequestBody(CreateAgentDto)
  @Audited<CreatedAgentDto>('agent.created', ({ result: { _id: id, name, type } }) => ({
    id,
    name,
    details: { type },
  }))
  @Idempotent({ unknownOutcome: agentOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'createAgent',
    summary: 'Create an agent',
    description:
      'Creates an agent from its type alone, from a prompt template, or from any of the fields that an ' +
      'update accepts. Fields that are left out get their defaults.',
    cost: 'No credits. Requires an active subscription and counts towards the quota of agents.',
    status: 200,
    message: 'Agent created',
    data: CreatedAgentDto,
    errors: [
      agentTooLarge(1_024),
      transfersNotAllowed(['destination']),
      transfersNotAllowed(['listed']),
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
  @MayScan(hasOneOf('search'))
  @ApiEnvelopeResponse({
    operationId: 'listAgents',
    summary: 'List agents',
    description:
      'Lists the agents of the workspace, newest first unless sorted otherwise. Filters are combined ' +
      'with AND.',
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
    operationId: 'getAgent',
    summary: 'Get an agent',
    description:
      'Returns the full configuration of one agent, as a list of one element. An update accepts what ' +
      'this operation returns.',
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
  @Audited<UpdatedAgentDto>('agent.updated', ({ result: { _id: id, name } }) => ({ id, name }))
  @ApiEnvelopeResponse({
    operationId: 'updateAgent',
    summary: 'Update an agent',
    description:
      'Changes the given fields and keeps the others. Nested objects are merged field by field. A ' +
      'change of behaviour raises `deployment.version`; calls that already started keep the ' +
      'configuration they started with.',
    status: 200,
    message: 'Agent updated',
    data: UpdatedAgentDto,
    errors: [
      agentTooLarge(1_024),
      transfersNotAllowed(['destination']),
      transfersNotAllowed(['listed']),
      agentNotFound(),
      knowledgeBaseNotFound(),
    ],
  })
  update(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Body() body: UpdateAgentDto) {
    return this.agents.update(caller.workspaceId, agentId, body);
  }

  @Delete(':agent_id')
  @Unscoped()
  @Audited<NarrowAgent>('agent.deleted', ({ result: { id, name } }) => ({ id, name }))
  @ApiEnvelopeResponse({
    operationId: 'deleteAgent',
    summary: 'Delete an agent',
    description:
      'Deletes the agent, releases its phone number and fails its scheduled and running campaigns. Its ' +
      'past calls stay in the statistics and in their campaigns. Calls in progress go on.',
    status: 200,
    message: 'Agent deleted',
    errors: [agentNotFound()],
  })
  remove(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string) {
    return this.agents.remove(caller.workspaceId, agentId);
  }

  @Put(':agent_id/phone-number')
  @Unscoped()
  @ApiRequestBody(PhoneNumberInputDto)
  @Audited<AssignedPhoneNumberDto>('agent.phone_number_assigned', ({ result }) => ({
    id: result.agent_id,
    details: { phone_number: result.phone_number },
  }))
  @ApiEnvelopeResponse({
    operationId: 'assignPhoneNumber',
    summary: 'Assign a phone number to an agent',
    description:
      'Gives the agent this phone number as its caller number. A number that the workspace does not ' +
      'have yet is added to it. An agent has one number and a number has one agent, so assigning moves ' +
      'it.',
    cost: 'No credits. A new number counts towards the quota of phone numbers.',
    status: 200,
    message: 'Phone number assigned',
    data: AssignedPhoneNumberDto,
    errors: [numberUnavailable(), quotaReached('phone_numbers', { limit: 100, used: 100 }), agentNotFound()],
  })
  assignPhoneNumber(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: PhoneNumberInputDto,
  ) {
    return this.agents.assignPhoneNumber(caller.workspaceId, agentId, body.phone_number);
  }
}
