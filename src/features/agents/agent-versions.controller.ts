import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { PageQuery } from '../../platform/http/pagination';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { AgentVersionDetailDto, AgentVersionDto, RestoredVersionDto } from './agent-versions.dto';
import { AgentVersionsService } from './agent-versions.service';
import { versionFrom } from './agent-types';
import {
  agentNotFound,
  agentTooLarge,
  agentVersionNotFound,
  restoreOutcomeUnknown,
  transfersNotAllowed,
} from './agents.errors';
import { AgentsService } from './agents.service';

@ApiTags('Agents')
@Controller('api/agents/:agent_id/versions')
export class AgentVersionsController {
  constructor(
    private readonly versions: AgentVersionsService,
    private readonly agents: AgentsService,
  ) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listAgentVersions',
    summary: 'List the versions of an agent',
    description:
      'Lists every version that a call of the agent may have been handed, newest first: when and by whom ' +
      'it was made, and how many calls were started with it. The versions of a deleted agent stay.',
    status: 200,
    message: 'Agent versions',
    data: AgentVersionDto,
    list: true,
    paginated: true,
    errors: [agentNotFound()],
  })
  list(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Query() query: PageQuery) {
    return this.versions.list(caller.workspaceId, agentId, query);
  }

  @Get(':version')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getAgentVersion',
    summary: 'Get a version of an agent',
    description: 'Returns one version with its whole configuration, as far as calls depend on it.',
    status: 200,
    message: 'Agent version',
    data: AgentVersionDetailDto,
    errors: [agentNotFound(), agentVersionNotFound()],
  })
  get(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Param('version') version: string,
  ) {
    return this.versions.get(caller.workspaceId, agentId, versionFrom(version));
  }

  @Post(':version/restore')
  @Unscoped()
  @Audited<RestoredVersionDto>('agent.version_restored', ({ result }) => ({
    id: result.agent_id,
    details: { version: result.version, restored_from: result.restored_from },
  }))
  @Idempotent({ unknownOutcome: restoreOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'restoreAgentVersion',
    summary: 'Restore a version of an agent',
    description:
      'Makes a new version that is a copy of this one. Calls that already started keep their version. Fields ' +
      'that calls do not depend on, such as the description, stay as they are.',
    status: 201,
    message: 'Agent version restored',
    data: RestoredVersionDto,
    errors: [
      agentTooLarge(1_024),
      transfersNotAllowed(['destination'], 'snapshot.actions'),
      transfersNotAllowed(['listed'], 'snapshot.actions'),
      agentNotFound(),
      agentVersionNotFound(),
    ],
  })
  restore(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Param('version') version: string,
  ) {
    return this.agents.restore(caller.workspaceId, agentId, versionFrom(version));
  }
}
