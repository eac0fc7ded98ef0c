import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { RuntimesDto } from './runtimes.dto';
import { RuntimesService } from './runtimes.service';

@ApiTags('Runtimes')
@Controller('api/runtimes')
export class RuntimesController {
  constructor(private readonly workers: RuntimesService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getRuntimes',
    summary: 'See who takes calls',
    description:
      'Returns the runtimes that have calls of the workspace and those that are idle, the queues between them ' +
      'and the server, and how many messages nobody could process, of all workspaces. Runtimes with calls of other workspaces ' +
      'alone are not shown, nor are the queues of runtime pools, which the server does not know.',
    status: 200,
    message: 'Runtimes',
    data: RuntimesDto,
  })
  overview(@CurrentCaller() caller: Caller) {
    return this.workers.overview(caller.workspaceId);
  }
}
