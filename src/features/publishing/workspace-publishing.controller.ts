import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../accounts/audit/audited';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { WorkspacePublishingDto } from './publishing.dto';
import { PublishingService } from './publishing.service';

@ApiTags('Workspace')
@Controller('api/workspace/publishing')
export class WorkspacePublishingController {
  constructor(private readonly publishing: PublishingService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getWorkspacePublishing',
    summary: 'Get how agents are published',
    description: 'Returns how new versions of the agents of the workspace get to calls.',
    status: 200,
    message: 'Publishing',
    data: WorkspacePublishingDto,
  })
  get(@CurrentCaller() { workspaceId }: Caller) {
    return this.publishing.getOfWorkspace(workspaceId);
  }

  @Put()
  @Unscoped()
  @Audited<WorkspacePublishingDto>('workspace.publishing_set', ({ caller, result }) => ({
    id: caller.workspaceId,
    details: { ...result },
  }))
  @ApiRequestBody(WorkspacePublishingDto)
  @ApiEnvelopeResponse({
    operationId: 'setWorkspacePublishing',
    summary: 'Set how agents are published',
    description:
      'Sets how new versions of agents get to calls. It concerns the agents that have no setting of their own: calls go ' +
      'on with the newest version of one that becomes gated, and the newest version of one that becomes automatic goes ' +
      'active.',
    status: 200,
    message: 'Publishing set',
    data: WorkspacePublishingDto,
  })
  set(@CurrentCaller() { workspaceId }: Caller, @Body() { publish }: WorkspacePublishingDto) {
    return this.publishing.setOfWorkspace(workspaceId, publish);
  }
}
