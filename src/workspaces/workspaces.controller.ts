import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
import { PageQuery } from '../http/pagination';
import { CreditEntryDto, WorkspaceDto } from './workspaces.dto';
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

  @Get('credits')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listCreditEntries',
    summary: 'List the credit ledger',
    description:
      'Lists every change of the credits of the workspace with the balance after it, newest first: grants ' +
      'of the operator, and the holds, releases, charges and corrections of calls.',
    status: 200,
    message: 'Credit entries',
    data: CreditEntryDto,
    list: true,
    paginated: true,
  })
  listCreditEntries(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.workspaces.listCreditEntries(caller.workspaceId, query);
  }
}
