import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../accounts/audit/audited';
import { AgentScoped, type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { AgentAnalysisDto } from './agent-analysis.dto';
import { AgentAnalysisService } from './agent-analysis.service';
import { agentNotFound } from './agents.errors';

@ApiTags('Agents')
@Controller('api/agents/:agent_id/analysis')
export class AgentAnalysisController {
  constructor(private readonly analyses: AgentAnalysisService) {}

  @Get()
  @AgentScoped()
  @ApiEnvelopeResponse({
    operationId: 'getAgentAnalysis',
    summary: 'Get the analysis of an agent',
    description:
      'Returns what each call of the agent is to yield: fields, which are values, and criteria, which a call meets or not.',
    status: 200,
    message: 'Analysis',
    data: AgentAnalysisDto,
    errors: [agentNotFound()],
  })
  get(@CurrentCaller() { workspaceId }: Caller, @Param('agent_id') agentId: string) {
    return this.analyses.get(workspaceId, agentId);
  }

  @Put()
  @Unscoped()
  @Audited('agent.updated', ({ params }) => ({ id: params.agent_id as string }))
  @ApiRequestBody(AgentAnalysisDto)
  @ApiEnvelopeResponse({
    operationId: 'replaceAgentAnalysis',
    summary: 'Replace the analysis of an agent',
    description:
      'Replaces all fields and criteria. A change makes a new version of the agent; calls keep the analysis of their ' +
      'version, and `findings` of a call has its answers. All regular expressions together compile to at most 1,500 steps.',
    status: 200,
    message: 'Analysis replaced',
    data: AgentAnalysisDto,
    errors: [agentNotFound()],
  })
  replace(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: AgentAnalysisDto,
  ) {
    return this.analyses.replace(workspaceId, agentId, body);
  }
}
