import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../common/access';
import { type Statement, Sql } from '../database/sql';
import { MessageBroker } from '../messaging/message-broker';

const PING: Statement = { name: 'ping', text: 'SELECT 1 AS up' };

const stateOf = async (check: Promise<unknown>) =>
  check.then(
    () => ({ state: 'up' as const }),
    (error: Error) => ({ state: 'down' as const, reason: error.message }),
  );

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly sql: Sql,
    private readonly broker: MessageBroker,
  ) {}

  /** Whether the process answers at all. */
  @Get('live')
  @Public()
  live() {
    return { status: HttpStatus.OK, message: 'Live' };
  }

  /** Whether it can take calls: the database answers and the broker confirms a canary. */
  @Get('ready')
  @Public()
  async ready(@Res({ passthrough: true }) response: Response) {
    const [database, broker] = await Promise.all([stateOf(this.sql.run(PING)), stateOf(this.broker.check())]);
    const isReady = database.state === 'up' && broker.state === 'up';
    const status = isReady ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE;
    response.status(status);
    return {
      status,
      message: isReady ? 'Ready' : 'Not ready',
      data: { database, broker: { kind: this.broker.kind, ...broker } },
    };
  }
}
