import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '../database/database';
import { type Page, pageOf, WorkspaceRepository } from '../database/workspace.repository';
import { FIND_CONVERSATION } from './conversation-detail.sql';
import { Conversation, type WideColumn } from './conversation.entity';
import type { ConversationDto } from './conversations.dto';

/** A list reads no other columns: the summary of a call, which it does not show, can be long too. */
const LIST_COLUMNS = [
  'id',
  'agentId',
  'toNumber',
  'fromNumber',
  'createdAt',
  'status',
] as const satisfies (keyof Conversation)[];

export type ListedConversation = Pick<Conversation, (typeof LIST_COLUMNS)[number]>;

/** Calls as the API presents them. */
@Injectable()
export class ConversationsRepository extends WorkspaceRepository<Conversation, WideColumn> {
  constructor(database: Database) {
    super(database, Conversation);
  }

  /** Newest first. */
  listOfAgent(
    workspaceId: string,
    agentId: string,
    page: { page: number; limit: number },
  ): Promise<Page<ListedConversation>> {
    const newestFirst = this.select(workspaceId, 'conversation')
      .select(LIST_COLUMNS.map((column) => `conversation.${column}`))
      .andWhere({ agentId })
      .orderBy('conversation.createdAt', 'DESC')
      .addOrderBy('conversation.id', 'DESC');
    return pageOf(newestFirst, page);
  }

  /** null: the agent has no such conversation. */
  async findDetail(
    workspaceId: string,
    agentId: string,
    conversationId: string,
  ): Promise<ConversationDto | null> {
    if (!isUUID(conversationId)) return null;
    const values = { workspaceId, agentId, conversationId };
    return (await this.database.query(FIND_CONVERSATION, values))[0]?.detail ?? null;
  }
}
