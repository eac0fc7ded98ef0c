import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ClientAbortSignal } from '../../platform/http/client-abort-signal';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { Audited } from '../../accounts/audit/audited';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { agentNotFound } from '../agents/agents.errors';
import { callNotFound } from '../calls/model/calls.errors';
import { TrialDto, TryPromptDto } from './trials.dto';
import { TrialsService } from './trials.service';

@ApiTags('Agents')
@Controller('api/agents')
export class TrialsController {
  constructor(private readonly trials: TrialsService) {}

  @Post(':agent_id/trials')
  @Unscoped()
  @Audited('agent.prompt_tried', ({ params }) => ({ id: params.agent_id as string }))
  @ApiRequestBody(TryPromptDto)
  @ApiEnvelopeResponse({
    operationId: 'tryPrompt',
    summary: 'Try a prompt on a call',
    description:
      'Lets a prompt answer each turn of the person in a call of the agent, after what was really said before it. The ' +
      'language model of the call is asked, with its key, in writing and without knowledge and actions. The first 20 ' +
      'turns are tried, within 45 seconds. Nothing is stored but the entry in the audit.',
    cost: 'No credits. Counts towards the limit of trials in 24 hours.',
    status: 200,
    message: 'Prompt tried',
    data: TrialDto,
    errors: [agentNotFound(), callNotFound(), quotaReached('trials', { limit: 200, used: 200 })],
  })
  run(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: TryPromptDto,
    @ClientAbortSignal() clientGone: AbortSignal,
  ) {
    return this.trials.run(caller, agentId, body, clientGone);
  }
}
