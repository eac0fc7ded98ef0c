import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Caller, CurrentCaller, Unscoped } from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { CallSeriesDto, CallSeriesQuery } from './call-series.dto';
import { CallSeriesService } from './call-series.service';

@ApiTags('Reports')
@Controller('api/reports/calls')
export class CallSeriesController {
  constructor(private readonly series: CallSeriesService) {}

  @Get('series')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getCallSeries',
    summary: 'Count calls over time',
    description:
      'Counts the calls of each hour, day, week (from Monday) or month of a time zone, by the time of their ' +
      'creation, and optionally by group. Without dates, it begins with the first call of the workspace and ends ' +
      'now. Buckets are whole, but only calls between the dates are counted. There are at most 2,000 buckets, ' +
      '50,000 groups in all of them together, and about 8 MB. `groups` has the groups with their names. ' +
      'Outcomes are counted by their first 100 characters, and only the 1,000 with the most calls are groups: `other` ' +
      'of a bucket has the sums of all further outcomes. All numbers are exact, and from the same moment. The next series is counted when an answer ' +
      'has been read: a workspace has two at once in each process.',
    status: 200,
    message: 'Calls over time',
    data: CallSeriesDto,
    readsReplica: true,
  })
  get(
    @CurrentCaller() caller: Caller,
    @Query() query: CallSeriesQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.series.get(caller, query, response);
  }
}
