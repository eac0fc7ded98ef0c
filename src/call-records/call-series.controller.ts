import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
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
      'and 50,000 groups in all of them together. All numbers are exact, and from the same moment.',
    status: 200,
    message: 'Calls over time',
    data: CallSeriesDto,
  })
  get(@CurrentCaller() caller: Caller, @Query() query: CallSeriesQuery) {
    return this.series.get(caller, query);
  }
}
