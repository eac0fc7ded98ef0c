import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { AgentsService } from '../agents/agents.service';
import { conversationNotFound } from './calls.errors';
import { CONVERSATION_DETAIL } from './conversation-detail.sql';
import { Conversation, type WideColumn } from './conversation.entity';
import { type PageQuery, Paginated } from '../http/pagination';
import { type Statement, Sql } from '../database/sql';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import type { ConversationDto, ConversationListDto } from './conversations.dto';
import { presentConversationSummary } from './conversations.presenter';

const FIND_CONVERSATION: Statement = {
  name: 'find-conversation',
  text: `
    SELECT ${CONVERSATION_DETAIL} AS detail FROM conversations
    WHERE workspace_id = $1 AND agent_id = $2 AND id = $3`,
};

/** A list reads no more: what is not shown, such as the summary of a call, may be wide too. */
const SHOWN_IN_LIST = [
  'id',
  'agentId',
  'toNumber',
  'fromNumber',
  'createdAt',
  'status',
] as const satisfies (keyof Conversation)[];

@Injectable()
export class ConversationsService {
  constructor(
    @InjectScoped(Conversation)
    private readonly conversations: WorkspaceScopedRepository<Conversation, WideColumn>,
    private readonly agents: AgentsService,
    private readonly sql: Sql,
  ) {}

  async list(
    workspaceId: string,
    agentId: string,
    query: PageQuery,
  ): Promise<Paginated<ConversationListDto>> {
    const agent = await this.agents.find(workspaceId, agentId);
    const newestFirst = this.conversations
      .query(workspaceId, 'conversation')
      .select(SHOWN_IN_LIST.map((column) => `conversation.${column}`))
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

  async get(workspaceId: string, agentId: string, conversationId: string): Promise<ConversationDto> {
    await this.agents.find(workspaceId, agentId);
    if (!isUUID(conversationId)) throw conversationNotFound();
    const [found] = await this.sql.run<{ detail: ConversationDto }>(FIND_CONVERSATION, [
      workspaceId,
      agentId,
      conversationId,
    ]);
    if (!found) throw conversationNotFound();
    return found.detail;
  }
}
