import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { QuotasService } from './quotas.service';
import { CreditEntryDto, ListCreditEntriesQuery, QuotaDto, WorkspaceDto } from './workspaces.dto';
import { presentQuotas, presentWorkspace } from './workspaces.presenter';
import { WorkspacesService } from './workspaces.service';

@ApiTags('Workspace')
@Controller('api/workspace')
export class WorkspacesController {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly quotas: QuotasService,
  ) {}

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

  @Get('quotas')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listQuotas',
    summary: 'List the quotas',
    description:
      'Lists how much of each resource the workspace may have, how much it has, and whether the operator set the ' +
      'limit. Ask the operator for a higher one.',
    status: 200,
    message: 'Quotas',
    data: QuotaDto,
    list: true,
  })
  async listQuotas(@CurrentCaller() caller: Caller) {
    return presentQuotas(await this.quotas.list(caller.workspaceId));
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
  listCreditEntries(@CurrentCaller() caller: Caller, @Query() query: ListCreditEntriesQuery) {
    return this.workspaces.listCreditEntries(caller.workspaceId, query);
  }
}
