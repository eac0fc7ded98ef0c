import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../common/access';
import { Metrics } from './metrics';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /** Prometheus text format. */
  @Get()
  @Public()
  async scrape(@Res() response: Response) {
    const { registry } = this.metrics;
    response.type(registry.contentType).send(await registry.metrics());
  }
}
