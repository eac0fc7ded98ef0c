import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../http/access';
import { Metrics } from './metrics';

const EXAMPLE = `# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 3.71
`;

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description: 'Returns the metrics of this process in the text format of Prometheus. Needs no credential.',
  })
  @ApiProduces('text/plain')
  @ApiResponse({
    status: 200,
    description: 'Metrics in the text format of Prometheus',
    content: { 'text/plain': { schema: { type: 'string' }, example: EXAMPLE } },
  })
  async scrape(@Res() response: Response) {
    const { registry } = this.metrics;
    response.type(registry.contentType).send(await registry.metrics());
  }
}
