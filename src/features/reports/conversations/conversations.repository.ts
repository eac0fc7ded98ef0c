import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '../../../platform/database/database';
import { callPage, type ListedPage, pageFrom } from '../filter/call-page.sql';
import { FIND_CONVERSATION } from '../../calls/model/conversation-detail.sql';
import type { Conversation } from '../../calls/model/conversation.entity';
import type { ConversationDto } from '../../calls/model/conversations.dto';

export type ListedConversation = Pick<
  Conversation,
  'id' | 'agentId' | 'toNumber' | 'fromNumber' | 'createdAt' | 'status'
>;

/** The list reads no other columns: the summary of a call, which it does not show, can be long too. */
export const PAGE_OF_AGENT = callPage<ListedConversation>('call-page-of-agent', 'agent', {
  id: 'id',
  agentId: 'agent_id',
  toNumber: 'to_number',
  fromNumber: 'from_number',
  createdAt: 'created_at',
  status: 'status',
});

const ALL_CALLS = { createdFrom: null, createdUntil: null, statuses: null, callType: null };

/** Reads calls as the API presents them. */
@Injectable()
export class ConversationsRepository {
  constructor(private readonly database: Database) {}

  /** Lists the calls of an agent, newest first. */
  async listOfAgent(
    workspaceId: string,
    agentId: string,
    place: { offset: number; limit: number },
  ): Promise<ListedPage<ListedConversation>> {
    const values = { workspaceId, subjectId: agentId, ...ALL_CALLS, ...place };
    return pageFrom(await this.database.query(PAGE_OF_AGENT, values));
  }

  /** @returns null if the agent has no such conversation */
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
