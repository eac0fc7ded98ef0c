import { Injectable } from '@nestjs/common';
import { AgentsService } from '../agents/agents.service';
import { Conversation } from '../calls/conversation.entity';
import { type PageQuery, Paginated } from '../common/pagination';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import {
  type ConversationListDto,
  presentConversation,
  presentConversationSummary,
} from './conversations.dto';
import { conversationNotFound } from './conversations.errors';

@Injectable()
export class ConversationsService {
  constructor(
    @InjectScoped(Conversation) private readonly conversations: WorkspaceScopedRepository<Conversation>,
    private readonly agents: AgentsService,
  ) {}

  async list(
    workspaceId: string,
    agentId: string,
    query: PageQuery,
  ): Promise<Paginated<ConversationListDto>> {
    const agent = await this.agents.find(workspaceId, agentId);
    const newestFirst = this.conversations
      .query(workspaceId, 'conversation')
      .andWhere('conversation.agentId = :agentId', { agentId })
      .orderBy('conversation.createdAt', 'DESC')
      .addOrderBy('conversation.id', 'DESC');
    const { data, pagination } = await pageOf(newestFirst, query, presentConversationSummary);
    const { total, page, limit } = pagination;
    return new Paginated(
      { conversations: data, assistant_name: agent.name, total_count: total, page, limit },
      pagination,
    );
  }

  async get(workspaceId: string, agentId: string, conversationId: string) {
    const agent = await this.agents.find(workspaceId, agentId);
    const conversation = await this.conversations.find(workspaceId, conversationId);
    if (conversation?.agentId !== agent.id) throw conversationNotFound();
    return presentConversation(conversation);
  }
}
