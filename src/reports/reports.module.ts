import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { Conversation } from '../calls/conversation.entity';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './conversations.service';

const conversations = scopedRepository(Conversation);

@Module({
  imports: [...conversations.imports, AgentsModule],
  controllers: [ConversationsController],
  providers: [...conversations.providers, ConversationsService],
})
export class ReportsModule {}
