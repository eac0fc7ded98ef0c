import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AgentScoped, type Caller, CurrentCaller, Unscoped } from '../common/access';
import { Answers } from '../common/envelope';
import {
  AgentDto,
  AgentSummaryDto,
  AssignedPhoneNumberDto,
  AssignPhoneNumberDto,
  CreateAgentDto,
  CreatedAgentDto,
  ListAgentsQuery,
  UpdateAgentDto,
  UpdatedAgentDto,
} from './agents.dto';
import { AgentsService } from './agents.service';

@ApiTags('Agents')
@Controller('api/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Post()
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Agent created',
    data: CreatedAgentDto,
    errors: [400, 401, 403, 404, 500],
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateAgentDto) {
    return this.agents.create(caller, body);
  }

  @Get()
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Agents',
    data: AgentSummaryDto,
    list: true,
    paginated: true,
    errors: [400, 401, 403, 500],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAgentsQuery) {
    return this.agents.list(caller.workspaceId, query);
  }

  @Get(':agent_id')
  @AgentScoped()
  @Answers({ status: 200, message: 'Agent', data: AgentDto, list: true, errors: [400, 401, 403, 404, 500] })
  get(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string) {
    return this.agents.get(caller.workspaceId, agentId);
  }

  @Put(':agent_id')
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Agent updated',
    data: UpdatedAgentDto,
    errors: [400, 401, 403, 404, 500],
  })
  update(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Body() body: UpdateAgentDto) {
    return this.agents.update(caller.workspaceId, agentId, body);
  }

  @Delete(':agent_id')
  @Unscoped()
  @Answers({ status: 200, message: 'Agent deleted', errors: [400, 401, 403, 404, 500] })
  remove(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string) {
    return this.agents.remove(caller.workspaceId, agentId);
  }

  @Put(':agent_id/phone-number')
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Phone number assigned',
    data: AssignedPhoneNumberDto,
    errors: [400, 401, 403, 404, 500],
  })
  assignPhoneNumber(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: AssignPhoneNumberDto,
  ) {
    return this.agents.assignPhoneNumber(caller.workspaceId, agentId, body.phone_number);
  }
}
