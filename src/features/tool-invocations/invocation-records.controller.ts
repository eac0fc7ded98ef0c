import { Body, Controller, type ExecutionContext, Get, Param, Post, Query, Res } from '@nestjs/common';
import { toolsBusy } from '../tools/tools.errors';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Audited } from '../../accounts/audit/audited';
import { type Caller, CurrentCaller, CurrentContext, Unscoped } from '../../platform/http/access';
import { ClientAbortSignal } from '../../platform/http/client-abort-signal';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiExportResponse } from '../../platform/http/export-response';
import { MayScan } from '../../platform/http/may-scan';
import { ApiRequestBody } from '../../platform/http/request-body';
import { INVOCATION_WRITERS, InvocationExportService } from './invocation-export.service';
import { ExportInvocationsQuery, ListInvocationsQuery, ResolveInvocationDto } from './invocation-records.dto';
import { InvocationRecordsService } from './invocation-records.service';
import { ListedInvocationDto } from './tool-invocations.dto';
import { invocationNotFound, invocationSettled } from './tool-invocations.errors';

const toTarget = ({ params }: { params: Record<string, string> }) => ({ id: params.invocation_id as string });

@ApiTags('Tools')
@Controller('api/tool-invocations')
export class InvocationRecordsController {
  constructor(
    private readonly records: InvocationRecordsService,
    private readonly exports: InvocationExportService,
  ) {}

  @Get()
  @Unscoped()
  @MayScan()
  @ApiEnvelopeResponse({
    operationId: 'listInvocations',
    summary: 'List the invocations of tools',
    description:
      'Lists what agents did in all calls, newest first. Filters are combined with AND. Arguments, answers and notes are ' +
      'kept for as long as transcripts.',
    status: 200,
    message: 'Invocations',
    data: ListedInvocationDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ListInvocationsQuery) {
    return this.records.list(workspaceId, query);
  }

  @Get('export')
  @Unscoped()
  @ApiExportResponse({
    operationId: 'exportInvocations',
    summary: 'Export the invocations of tools',
    content: 'all invocations that match, newest first',
    data: ListedInvocationDto,
    writers: INVOCATION_WRITERS,
  })
  export(
    @CurrentCaller() { workspaceId }: Caller,
    @Query() query: ExportInvocationsQuery,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.write(workspaceId, query, context, response);
  }

  @Post(':invocation_id/resolve')
  @Unscoped({ operates: true })
  @Audited('tool_invocation.resolved', toTarget)
  @ApiRequestBody(ResolveInvocationDto)
  @ApiEnvelopeResponse({
    operationId: 'resolveInvocation',
    summary: 'Say what came of an unknown invocation',
    description:
      'Stores what a person has found out about an invocation whose state is `unknown`. After `refused`, an agent may do the ' +
      'same again in that call.',
    status: 200,
    message: 'Invocation resolved',
    data: ListedInvocationDto,
    errors: [invocationNotFound(), invocationSettled()],
  })
  resolve(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('invocation_id') id: string,
    @Body() body: ResolveInvocationDto,
  ) {
    return this.records.resolve(workspaceId, id, body);
  }

  @Post(':invocation_id/resend')
  @Unscoped({ operates: true })
  @Audited('tool_invocation.resent', toTarget)
  @ApiEnvelopeResponse({
    operationId: 'resendInvocation',
    summary: 'Send an unknown invocation again',
    description:
      'Sends the request of an invocation whose state is `unknown` again, with the same `Idempotency-Key`, and waits for ' +
      'what comes of it. An address that does not honour the key may do it twice. The tool is that of the version of the call.',
    status: 200,
    message: 'Invocation sent again',
    data: ListedInvocationDto,
    errors: [invocationNotFound(), invocationSettled(), toolsBusy()],
  })
  resend(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('invocation_id') id: string,
    @ClientAbortSignal() clientGone: AbortSignal,
  ) {
    return this.records.resend(workspaceId, id, clientGone);
  }
}
