import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { knowledgeBaseNotFound } from '../knowledge-base/knowledge-base.errors';
import { AssignedKnowledgeBaseDto, AssignKnowledgeBaseDto } from './knowledge-base-assignments.dto';
import { agentNotFound } from './agents.errors';
import { KnowledgeBaseAssignmentsService } from './knowledge-base-assignments.service';

@ApiTags('Knowledge bases')
@Controller('api/agents/knowledge-bases')
export class KnowledgeBaseAssignmentsController {
  constructor(private readonly assignments: KnowledgeBaseAssignmentsService) {}

  @Post(':kb_id/assign')
  @Unscoped()
  @Audited('knowledge_base.assigned', ({ params }) => ({ id: params.kb_id as string }))
  @ApiRequestBody(AssignKnowledgeBaseDto)
  @ApiEnvelopeResponse({
    operationId: 'assignKnowledgeBase',
    summary: 'Assign a knowledge base to agents',
    description:
      'Lets each of these agents search the knowledge base. Assigning it twice does no harm. All agents ' +
      'are assigned, or none.',
    status: 200,
    message: 'Knowledge base assigned',
    data: AssignedKnowledgeBaseDto,
    errors: [knowledgeBaseNotFound(), agentNotFound()],
  })
  assign(
    @CurrentCaller() caller: Caller,
    @Param('kb_id') knowledgeBaseId: string,
    @Body() body: AssignKnowledgeBaseDto,
  ) {
    return this.assignments.assign(caller.workspaceId, knowledgeBaseId, body.assistant_ids);
  }

  @Post(':kb_id/unassign')
  @Unscoped()
  @Audited('knowledge_base.unassigned', ({ params }) => ({ id: params.kb_id as string }))
  @ApiRequestBody(AssignKnowledgeBaseDto)
  @ApiEnvelopeResponse({
    operationId: 'unassignKnowledgeBase',
    summary: 'Remove a knowledge base from agents',
    description:
      'Ends the access of these agents to the knowledge base and returns their ids. The knowledge base ' +
      'itself stays.',
    status: 200,
    message: 'Knowledge base unassigned',
    data: 'text',
    list: true,
    errors: [knowledgeBaseNotFound(), agentNotFound()],
  })
  unassign(
    @CurrentCaller() caller: Caller,
    @Param('kb_id') knowledgeBaseId: string,
    @Body() body: AssignKnowledgeBaseDto,
  ) {
    return this.assignments.unassign(caller.workspaceId, knowledgeBaseId, body.assistant_ids);
  }
}
