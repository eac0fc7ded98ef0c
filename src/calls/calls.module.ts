import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallDispatcher } from './call-dispatcher';
import { CallEventsController } from './call-events.controller';
import { CallLifecycle } from './call-lifecycle';
import { CallSweeper } from './call-sweeper';
import { CallsController } from './calls.controller';
import { CallsService } from './calls.service';
import { Conversation } from './conversation.entity';

@Module({
  imports: [TypeOrmModule.forFeature([Conversation])],
  controllers: [CallsController, CallEventsController],
  providers: [CallsService, CallDispatcher, CallLifecycle, CallSweeper],
  exports: [CallsService, CallDispatcher],
})
export class CallsModule {}
