import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { Conversation } from '../calls/conversation.entity';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { CallStatisticsController } from './call-statistics.controller';
import { CallStatisticsService } from './call-statistics.service';
import { ConversationsController } from '../calls/conversations.controller';
import { ConversationsService } from '../calls/conversations.service';

const conversations = scopedRepository(Conversation);

@Module({
  imports: [...conversations.imports, AgentsModule],
  controllers: [ConversationsController, CallStatisticsController],
  providers: [...conversations.providers, ConversationsService, CallStatisticsService],
})
export class ReportsModule {}
