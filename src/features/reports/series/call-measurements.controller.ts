import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Caller, CurrentCaller, Unscoped } from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { CallMeasurementsDto, CallMeasurementsQuery } from './call-measurements.dto';
import { CallMeasurementsService } from './call-measurements.service';

@ApiTags('Reports')
@Controller('api/reports/calls')
export class CallMeasurementsController {
  constructor(private readonly measurements: CallMeasurementsService) {}

  @Get('measurements')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getCallMeasurements',
    summary: 'Show the latency and the usage of calls over time',
    description:
      "How long agents took to answer, from the end of the person's words to the first words of the agent, and what " +
      'providers of speech, models and lines did, as runtimes report it. Buckets and dates are those of the series, ' +
      'rounded to quarters of an hour. A call is measured some seconds after its end, and again after a late report. ' +
      'Latencies are counted by bands, so a percentile is off by a tenth at most; those of 30 s and more count as ' +
      '30 s. Calls that were reported before the server measured are not counted.',
    status: 200,
    message: 'Latency and usage of calls',
    data: CallMeasurementsDto,
    readsReplica: true,
  })
  get(
    @CurrentCaller() caller: Caller,
    @Query() query: CallMeasurementsQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.measurements.get(caller, query, response);
  }
}
