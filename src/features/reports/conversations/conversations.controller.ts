import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { agentNotFound } from '../../agents/agents.errors';
import { conversationNotFound } from '../../calls/model/calls.errors';
import { AgentScoped, type Caller, CurrentCaller } from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { PageQuery } from '../../../platform/http/pagination';
import { ConversationDto, ConversationListDto } from '../../calls/model/conversations.dto';
import { ConversationsService } from './conversations.service';

@ApiTags('Calls')
@Controller('api/agents/:agent_id/conversations')
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get()
  @AgentScoped()
  @ApiEnvelopeResponse({
    operationId: 'listConversations',
    summary: 'List the conversations of an agent',
    description: 'Lists the calls of the agent, newest first.',
    status: 200,
    message: 'Conversations',
    data: ConversationListDto,
    paginated: true,
    errors: [agentNotFound()],
  })
  list(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Query() query: PageQuery) {
    return this.conversations.list(caller.workspaceId, agentId, query);
  }

  @Get(':conversation_id')
  @AgentScoped()
  @ApiEnvelopeResponse({
    operationId: 'getConversation',
    summary: 'Get a conversation',
    description:
      'Returns one call of the agent: its state, why and by whom it ended, its duration and the summary ' +
      'of the runtime.',
    status: 200,
    message: 'Conversation',
    data: ConversationDto,
    errors: [conversationNotFound()],
  })
  get(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Param('conversation_id') conversationId: string,
  ) {
    return this.conversations.get(caller.workspaceId, agentId, conversationId);
  }
}
