import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../accounts/audit/audited';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { RestoredVersionDto } from '../agents/agent-versions.dto';
import { agentNotFound, agentTooLarge, transfersNotAllowed } from '../agents/agents.errors';
import { AgentDeploymentDto, ChangeDeploymentDto, PublishDto } from './publishing.dto';
import { nothingToRollBack, rollbackOutcomeUnknown } from './publishing.errors';
import { PublishingService } from './publishing.service';

@ApiTags('Agents')
@Controller('api/agents/:agent_id/deployment')
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getAgentDeployment',
    summary: 'Get the deployment of an agent',
    description: 'Returns which version of the agent calls use, and what becomes of the newest one.',
    status: 200,
    message: 'Deployment',
    data: AgentDeploymentDto,
    errors: [agentNotFound()],
  })
  get(@CurrentCaller() { workspaceId }: Caller, @Param('agent_id') agentId: string) {
    return this.publishing.get(workspaceId, agentId);
  }

  @Patch()
  @Unscoped()
  @Audited('agent.updated', ({ params }) => ({ id: params.agent_id as string }))
  @ApiRequestBody(ChangeDeploymentDto)
  @ApiEnvelopeResponse({
    operationId: 'changeAgentDeployment',
    summary: 'Set how an agent is published',
    description: 'Sets how new versions of this agent get to calls, whatever the workspace says.',
    status: 200,
    message: 'Deployment changed',
    data: AgentDeploymentDto,
    errors: [agentNotFound()],
  })
  change(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Body() { publish }: ChangeDeploymentDto,
  ) {
    return this.publishing.setOfAgent(workspaceId, agentId, publish);
  }

  @Post('publish')
  @HttpCode(200)
  @Unscoped()
  @Audited('agent.forced', ({ params }) => ({ id: params.agent_id as string }))
  @ApiRequestBody(PublishDto)
  @ApiEnvelopeResponse({
    operationId: 'publishAgent',
    summary: 'Publish the newest version of an agent',
    description:
      'Plays the enabled rehearsals of the newest version, and lets calls use it once all have passed; at once if none ' +
      'is enabled, or with `force`. Nothing happens if calls use it already, or its rehearsals are under way.',
    cost: 'No credits. The language model of the agent is asked.',
    status: 200,
    message: 'Deployment',
    data: AgentDeploymentDto,
    errors: [agentNotFound()],
  })
  publish(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: PublishDto,
  ) {
    return this.publishing.publish(workspaceId, agentId, body);
  }

  @Post('rollback')
  @Unscoped()
  @Audited<RestoredVersionDto>('agent.rolled_back', ({ result }) => ({
    id: result.agent_id,
    details: { version: result.version, restored_from: result.restored_from },
  }))
  @Idempotent({ unknownOutcome: rollbackOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'rollBackAgent',
    summary: 'Roll an agent back',
    description:
      'Makes a new version that is a copy of the one that calls used before the active one, and lets calls use it at ' +
      'once, without rehearsals. Calls that already started keep their version.',
    status: 201,
    message: 'Agent rolled back',
    data: RestoredVersionDto,
    errors: [
      agentTooLarge(1_024),
      transfersNotAllowed(['destination'], 'snapshot.actions'),
      transfersNotAllowed(['listed'], 'snapshot.actions'),
      agentNotFound(),
      nothingToRollBack(),
    ],
  })
  rollBack(@CurrentCaller() { workspaceId }: Caller, @Param('agent_id') agentId: string) {
    return this.publishing.rollBack(workspaceId, agentId);
  }
}
