import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CONFIG, type Config } from '../../config';
import { Public } from '../http/access';
import { HealthService, LIVE, NOT_READY } from './health.service';

const toContent = (example: object) => ({
  'application/json': { schema: { type: 'object' as const }, example },
});

const probeResponse = (status: number, message: string, state: 'up' | 'down') => ({
  status,
  message,
  ...(state === 'down' && { error_code: NOT_READY }),
  data: { database: { state: 'up' }, broker: { kind: 'rabbitmq', state } },
});

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MONITORING_PORT'>,
  ) {}

  @Get('live')
  @Public()
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Check that the process answers',
    description:
      'Answers 200 as long as the process runs. Restart a process that does not. Needs no credential.',
  })
  @ApiResponse({ status: 200, description: 'Live', content: toContent({ status: 200, message: 'Live' }) })
  live() {
    return LIVE;
  }

  @Get('ready')
  @Public()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check that the process can take calls',
    description:
      'Answers 200 while the database answers and the broker confirms a test message, else 503. `receiving: false` of the broker says that the queues which this process consumes deliver nothing to it; it stays ready. Needs no credential. With MONITORING_PORT, the answer on PORT has no data.',
  })
  @ApiResponse({ status: 200, description: 'Ready', content: toContent(probeResponse(200, 'Ready', 'up')) })
  @ApiResponse({
    status: 503,
    description: 'Not ready',
    content: toContent(probeResponse(503, 'Not ready', 'down')),
  })
  async ready(@Res({ passthrough: true }) response: Response) {
    const { data, ...readiness } = await this.health.check();
    response.status(readiness.status);
    // With a port for monitoring, this one is for everybody.
    return this.config.MONITORING_PORT === undefined ? { ...readiness, data } : readiness;
  }
}
