import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { RetentionDto, RetentionPreviewDto, RetentionPreviewQuery } from './retention.dto';
import { RetentionService } from './retention.service';

@ApiTags('Workspace')
@Controller('api/workspace/retention')
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getRetention',
    summary: 'Get how long calls are kept',
    description:
      'Returns after how many days transcripts, recordings and calls of the workspace are removed.',
    status: 200,
    message: 'Retention',
    data: RetentionDto,
  })
  get(@CurrentCaller() caller: Caller) {
    return this.retention.get(caller.workspaceId);
  }

  @Get('preview')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'previewRetention',
    summary: 'Preview what a retention would remove',
    description:
      'Counts what would be removed at once if these times were set. Nothing is changed. A count that is not exact is ' +
      'a lower bound.',
    status: 200,
    message: 'Retention preview',
    data: RetentionPreviewDto,
  })
  preview(@CurrentCaller() caller: Caller, @Query() query: RetentionPreviewQuery) {
    return this.retention.preview(caller.workspaceId, query);
  }

  @Put()
  @Unscoped()
  @Audited<RetentionDto>('workspace.retention_set', ({ caller, result }) => ({
    id: caller.workspaceId,
    details: { ...result },
  }))
  @ApiRequestBody(RetentionDto)
  @ApiEnvelopeResponse({
    operationId: 'setRetention',
    summary: 'Set how long calls are kept',
    description:
      'Sets all three times, counted from the end of a call. What is due is removed in the background, within minutes ' +
      'to hours. A call that is under way stays. A deleted call leaves the lists, the statistics and the series; the ' +
      'credit ledger and the counts of campaigns and agents stay. What was removed cannot be brought back.',
    status: 200,
    message: 'Retention set',
    data: RetentionDto,
  })
  set(@CurrentCaller() caller: Caller, @Body() body: RetentionDto) {
    return this.retention.set(caller.workspaceId, body);
  }
}
