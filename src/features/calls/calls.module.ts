import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { DoNotCallModule } from '../do-not-call/do-not-call.module';
import { MonitoringModule } from '../../platform/monitoring/monitoring.module';
import { CallAcceptor } from './lifecycle/call-acceptor';
import { CallMetrics } from './lifecycle/call-metrics';
import { CallMetricsRepository } from './lifecycle/call-metrics.repository';
import { CallDispatcher } from './lifecycle/call-dispatcher';
import { CallEventsController } from './runtime-messages/call-events.controller';
import { ClaimScopes } from './model/claim-scope';
import { CallTraces } from './runtime-messages/call-traces';
import { CallTracesRepository } from './runtime-messages/call-traces.repository';
import { CallEventsService } from './runtime-messages/call-events.service';
import { CallRollupsLoop } from './counts/call-rollups-loop';
import { CallRollupsModule } from './call-rollups.module';
import { CallSweeper } from './lifecycle/call-sweeper';
import { CallsController } from './lifecycle/calls.controller';
import { CallsRepository } from './lifecycle/calls.repository';
import { CallsService } from './lifecycle/calls.service';
import { IncomingCallCounter } from './runtime-messages/incoming-call-counter';
import { IncomingCallsRepository } from './runtime-messages/incoming-calls.repository';
import { IncomingCallsService } from './runtime-messages/incoming-calls.service';
import { JoinWaiters } from './lifecycle/join-waiters';
import { RuntimeCommands } from './lifecycle/runtime-commands';
import { TransfersController } from './lifecycle/transfers.controller';
import { TransfersRepository } from './lifecycle/transfers.repository';
import { TransfersService } from './lifecycle/transfers.service';

@Module({
  imports: [AgentsModule, CallRollupsModule, DoNotCallModule, MonitoringModule],
  controllers: [CallsController, CallEventsController, TransfersController],
  providers: [
    CallsRepository,
    CallAcceptor,
    CallMetrics,
    CallMetricsRepository,
    CallsService,
    CallDispatcher,
    CallEventsService,
    CallTraces,
    CallTracesRepository,
    ClaimScopes,
    IncomingCallCounter,
    IncomingCallsRepository,
    IncomingCallsService,
    CallSweeper,
    CallRollupsLoop,
    JoinWaiters,
    RuntimeCommands,
    TransfersRepository,
    TransfersService,
  ],
  exports: [CallsService, CallAcceptor, CallDispatcher, CallEventsService, RuntimeCommands],
})
export class CallsModule {}
