import { Module } from '@nestjs/common';
import { StreamedAnswersModule } from '../../platform/http/streamed-answers.module';
import { AgentsModule } from '../agents/agents.module';
import { RehearsalsController } from './rehearsals.controller';
import { RehearsalsRepository } from './rehearsals.repository';
import { RehearsalsService } from './rehearsals.service';

@Module({
  imports: [AgentsModule, StreamedAnswersModule],
  controllers: [RehearsalsController],
  providers: [RehearsalsRepository, RehearsalsService],
})
export class RehearsalsModule {}
