import { Module } from '@nestjs/common';
import { Conversation } from '../calls/conversation.entity';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { CallStatisticsController } from './call-statistics.controller';
import { CallStatisticsService } from './call-statistics.service';

const conversations = scopedRepository(Conversation);

@Module({
  imports: conversations.imports,
  controllers: [CallStatisticsController],
  providers: [...conversations.providers, CallStatisticsService],
})
export class ReportsModule {}
