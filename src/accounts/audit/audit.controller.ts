import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { MayScan } from '../../platform/http/may-scan';
import { AuditEntryDto, ListAuditQuery } from './audit.dto';
import { AuditService } from './audit.service';

@ApiTags('Workspace')
@Controller('api/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Unscoped()
  @MayScan()
  @ApiEnvelopeResponse({
    operationId: 'listAuditEntries',
    summary: 'List changes',
    description:
      'Lists who changed what in the workspace, newest first: agents, numbers, knowledge bases, campaigns, ' +
      'credentials, secrets, credits and quotas. An entry is written together with its change, so a refused ' +
      'request has none. Filters are combined with AND. Entries are kept for 730 days unless the installation ' +
      'says otherwise.',
    status: 200,
    message: 'Audit',
    data: AuditEntryDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditQuery) {
    return this.audit.list(caller.workspaceId, query);
  }
}
