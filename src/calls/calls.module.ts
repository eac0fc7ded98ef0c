import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { CallDispatcher } from './call-dispatcher';
import { CallEventsController } from './call-events.controller';
import { CallLifecycle } from './call-lifecycle';
import { CallSweeper } from './call-sweeper';
import { HangUpController } from './hang-up.controller';
import { HangUpService } from './hang-up.service';
import { WorkerCommands } from './worker-commands';
import { CallsController } from './calls.controller';
import { CallsService } from './calls.service';
import { Conversation } from './conversation.entity';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './conversations.service';

const conversations = scopedRepository(Conversation);

@Module({
  imports: [...conversations.imports, AgentsModule],
  controllers: [CallsController, ConversationsController, HangUpController, CallEventsController],
  providers: [
    ...conversations.providers,
    CallsService,
    ConversationsService,
    CallDispatcher,
    CallLifecycle,
    CallSweeper,
    HangUpService,
    WorkerCommands,
  ],
  exports: [CallsService, CallDispatcher],
})
export class CallsModule {}
