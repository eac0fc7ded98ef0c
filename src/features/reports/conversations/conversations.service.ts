import { Injectable } from '@nestjs/common';
import { AgentsService } from '../../agents/agents.service';
import { getOffset, type PageQuery, paginate, Paginated } from '../../../platform/http/pagination';
import { conversationNotFound } from '../../calls/model/calls.errors';
import type { ConversationDto, ConversationListDto } from '../../calls/model/conversations.dto';
import { presentConversationSummary } from './conversations.presenter';
import { ConversationsRepository } from './conversations.repository';

@Injectable()
export class ConversationsService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly agents: AgentsService,
  ) {}

  /** @throws 404 if the agent does not exist */
  async list(
    workspaceId: string,
    agentId: string,
    query: PageQuery,
  ): Promise<Paginated<ConversationListDto>> {
    const agent = await this.agents.find(workspaceId, agentId);
    const place = { offset: getOffset(query), limit: query.limit };
    const { totals, calls } = await this.conversations.listOfAgent(workspaceId, agentId, place);
    const { total } = totals;
    const { data, pagination } = paginate(calls.map(presentConversationSummary), query, total);
    return new Paginated(
      {
        conversations: data,
        assistant_name: agent.name,
        total_count: total,
        page: query.page,
        limit: query.limit,
      },
      pagination,
    );
  }

  /** @throws 404 if the agent or the conversation does not exist */
  async get(workspaceId: string, agentId: string, conversationId: string): Promise<ConversationDto> {
    await this.agents.find(workspaceId, agentId);
    const conversation = await this.conversations.findDetail(workspaceId, agentId, conversationId);
    if (!conversation) throw conversationNotFound();
    return conversation;
  }
}
