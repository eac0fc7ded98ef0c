import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AgentScoped, type Caller, CurrentCaller } from '../common/access';
import { Answers } from '../common/envelope';
import { StartCallDto, StartedCallDto } from './calls.dto';
import { CallsService } from './calls.service';

@ApiTags('Agents')
@Controller('api/agents/:agent_id/calls')
export class CallsController {
  constructor(private readonly calls: CallsService) {}

  @Post()
  @AgentScoped()
  @Answers({
    status: 200,
    message: 'Call started',
    data: StartedCallDto,
    errors: [400, 401, 402, 403, 404, 500],
  })
  start(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Body() body: StartCallDto) {
    return this.calls.start(caller, agentId, body);
  }
}
