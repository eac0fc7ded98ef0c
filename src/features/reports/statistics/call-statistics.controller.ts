import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Caller, CurrentCaller, Unscoped } from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { CallStatisticsDto, CallStatisticsQuery } from './call-statistics.dto';
import { CallStatisticsService } from './call-statistics.service';

@ApiTags('Reports')
@Controller('api/reports/agents/calls')
export class CallStatisticsController {
  constructor(private readonly statistics: CallStatisticsService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getCallStatistics',
    summary: 'Get call statistics',
    description:
      'Counts the calls of the workspace, averages their durations, and lists them page by page. The ' +
      'filters apply to the counts and to the list.',
    status: 200,
    message: 'Call statistics',
    data: CallStatisticsDto,
    paginated: true,
    readsReplica: true,
  })
  get(
    @CurrentCaller() caller: Caller,
    @Query() query: CallStatisticsQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.statistics.get(caller.workspaceId, query, response);
  }
}
