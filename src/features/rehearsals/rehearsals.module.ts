import { Module } from '@nestjs/common';
import { StreamedAnswersModule } from '../../platform/http/streamed-answers.module';
import { AgentsModule } from '../agents/agents.module';
import { CallsModule } from '../calls/calls.module';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { CallsToRehearse } from './from-call/calls-to-rehearse';
import { CallsToRehearseRepository } from './from-call/calls-to-rehearse.repository';
import { RehearsalErasure } from './rehearsal-erasure';
import { RehearsalsController } from './rehearsals.controller';
import { RehearsalsRepository } from './rehearsals.repository';
import { RehearsalsService } from './rehearsals.service';
import { JoinedPersons } from './runs/joined-persons';
import { RehearsalCalls } from './runs/rehearsal-calls';
import { RehearsalPlaysRepository } from './runs/rehearsal-plays.repository';
import { RehearsalReportsController } from './runs/rehearsal-reports.controller';
import { RehearsalRunsController } from './runs/rehearsal-runs.controller';
import { RehearsalRunsRepository } from './runs/rehearsal-runs.repository';
import { RehearsalRunsService } from './runs/rehearsal-runs.service';
import { RehearsalScheduler } from './runs/rehearsal-scheduler';
import { RehearsalTools } from './runs/rehearsal-tools';
import { RunReportsService } from './runs/run-reports.service';

@Module({
  imports: [AgentsModule, CallsModule, StreamedAnswersModule, ToolInvocationsModule],
  controllers: [RehearsalsController, RehearsalRunsController, RehearsalReportsController],
  providers: [
    RehearsalsRepository,
    RehearsalErasure,
    RehearsalsService,
    CallsToRehearse,
    CallsToRehearseRepository,
    RehearsalCalls,
    JoinedPersons,
    RehearsalPlaysRepository,
    RehearsalRunsRepository,
    RehearsalRunsService,
    RehearsalScheduler,
    RehearsalTools,
    RunReportsService,
  ],
  exports: [RehearsalErasure, RehearsalRunsService, RehearsalScheduler, RehearsalsService],
})
export class RehearsalsModule {}
