import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { MonitoringModule } from '../monitoring/monitoring.module';
import { CallAcceptor } from './call-acceptor';
import { CallDispatcher } from './call-dispatcher';
import { CallEventsController } from './call-events.controller';
import { CallEventsService } from './call-events.service';
import { CallRollupsLoop } from './call-rollups-loop';
import { CallRollupsModule } from './call-rollups.module';
import { CallStatisticsController } from './call-statistics.controller';
import { CallStatisticsRepository } from './call-statistics.repository';
import { CallStatisticsService } from './call-statistics.service';
import { CallSweeper } from './call-sweeper';
import { CallsController } from './calls.controller';
import { CallsRepository } from './calls.repository';
import { CallsService } from './calls.service';
import { ConversationsController } from './conversations.controller';
import { ConversationsRepository } from './conversations.repository';
import { ConversationsService } from './conversations.service';
import { IncomingCallCounter } from './incoming-call-counter';
import { IncomingCallsRepository } from './incoming-calls.repository';
import { IncomingCallsService } from './incoming-calls.service';
import { RuntimeCommands } from './runtime-commands';
import { SnapshotMover } from './snapshot-mover';
import { SnapshotsRepository } from './snapshots.repository';

@Module({
  imports: [AgentsModule, CallRollupsModule, MonitoringModule],
  controllers: [CallsController, ConversationsController, CallStatisticsController, CallEventsController],
  providers: [
    CallsRepository,
    CallAcceptor,
    CallsService,
    ConversationsRepository,
    ConversationsService,
    CallStatisticsRepository,
    CallStatisticsService,
    CallDispatcher,
    CallEventsService,
    IncomingCallCounter,
    IncomingCallsRepository,
    IncomingCallsService,
    CallSweeper,
    CallRollupsLoop,
    RuntimeCommands,
    SnapshotMover,
    SnapshotsRepository,
  ],
  exports: [CallsService, CallAcceptor, CallDispatcher],
})
export class CallsModule {}
