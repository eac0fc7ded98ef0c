import { Controller, Get, HttpStatus, Logger, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import { Public } from '../http/access';
import type { ErrorCode } from '../http/error-codes';
import { MessageBroker } from '../messaging/message-broker';
import { HealthRepository } from './health.repository';

/** A database or broker that does not answer within this time is down. */
const CHECK_TIMEOUT_MS = 2_000;

const NOT_READY: ErrorCode = 'NOT_READY';

const noAnswer = () =>
  pause(CHECK_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`No answer within ${CHECK_TIMEOUT_MS} ms`);
  });

const jsonOf = (example: object) => ({
  'application/json': { schema: { type: 'object' as const }, example },
});

const probeAnswer = (status: number, message: string, state: 'up' | 'down') => ({
  status,
  message,
  ...(state === 'down' && { error_code: NOT_READY }),
  data: { database: { state: 'up' }, broker: { kind: 'rabbitmq', state } },
});

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  private readonly logger = new Logger('Health');

  constructor(
    private readonly repository: HealthRepository,
    private readonly broker: MessageBroker,
  ) {}

  @Get('live')
  @Public()
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Check that the process answers',
    description:
      'Answers 200 as long as the process runs. Restart a process that does not. Needs no credential.',
  })
  @ApiResponse({ status: 200, description: 'Live', content: jsonOf({ status: 200, message: 'Live' }) })
  live() {
    return { status: HttpStatus.OK, message: 'Live' };
  }

  @Get('ready')
  @Public()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check that the process can take calls',
    description:
      'Answers 200 while the database answers and the broker confirms a test message, else 503. Needs no credential.',
  })
  @ApiResponse({ status: 200, description: 'Ready', content: jsonOf(probeAnswer(200, 'Ready', 'up')) })
  @ApiResponse({
    status: 503,
    description: 'Not ready',
    content: jsonOf(probeAnswer(503, 'Not ready', 'down')),
  })
  async ready(@Res({ passthrough: true }) response: Response) {
    const [database, broker] = await Promise.all([
      this.stateOf('database', this.repository.ping()),
      this.stateOf('broker', this.broker.check()),
    ]);
    const isReady = database.state === 'up' && broker.state === 'up';
    const status = isReady ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE;
    response.status(status);
    return {
      status,
      message: isReady ? 'Ready' : 'Not ready',
      ...(!isReady && { error_code: NOT_READY }),
      data: { database, broker: { kind: this.broker.kind, ...broker } },
    };
  }

  /** Logs the reason. The answer is public, and the reason can name hosts and users. */
  private async stateOf(part: string, check: Promise<unknown>): Promise<{ state: 'up' | 'down' }> {
    try {
      await Promise.race([check, noAnswer()]);
      return { state: 'up' };
    } catch (error) {
      this.logger.warn({ err: error }, `The ${part} is down`);
      return { state: 'down' };
    }
  }
}
