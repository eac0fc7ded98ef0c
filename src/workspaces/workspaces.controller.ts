import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
import { WorkspaceDto } from './workspaces.dto';
import { presentWorkspace } from './workspaces.presenter';
import { WorkspacesService } from './workspaces.service';

@ApiTags('Workspace')
@Controller('api/workspace')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getWorkspace',
    summary: 'Get the workspace',
    description:
      'Returns the workspace of the credential: its free credits, calls in progress and subscription.',
    status: 200,
    message: 'Workspace',
    data: WorkspaceDto,
  })
  async get(@CurrentCaller() caller: Caller) {
    return presentWorkspace(await this.workspaces.get(caller.workspaceId));
  }
}
