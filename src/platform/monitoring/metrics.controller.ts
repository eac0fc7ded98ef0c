import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CONFIG, type Config } from '../../config';
import { Public } from '../http/access';
import { ApiError } from '../http/errors';
import { Metrics } from './metrics';

const EXAMPLE = `# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 3.71
`;

const onAnotherPort = () =>
  new ApiError('ROUTE_NOT_FOUND', 'Not found', { details: 'There is no /metrics on this port.' });

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MONITORING_PORT'>,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description:
      'Returns the metrics of this server, the sum over its processes, in the text format of Prometheus. Needs no credential. With MONITORING_PORT, they are on that port only.',
  })
  @ApiProduces('text/plain')
  @ApiResponse({
    status: 200,
    description: 'Metrics in the text format of Prometheus',
    content: { 'text/plain': { schema: { type: 'string' }, example: EXAMPLE } },
  })
  async scrape(@Res() response: Response) {
    if (this.config.MONITORING_PORT !== undefined) throw onAnotherPort();
    response.type(this.metrics.registry.contentType).send(await this.metrics.read());
  }
}
