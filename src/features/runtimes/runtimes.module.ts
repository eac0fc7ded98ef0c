import { Module } from '@nestjs/common';
import { DeadLetterMetrics } from './dead-letter-metrics';
import { RuntimeHellosController } from './runtime-hellos.controller';
import { RuntimesController } from './runtimes.controller';
import { RuntimesRepository } from './runtimes.repository';
import { RuntimesService } from './runtimes.service';

@Module({
  controllers: [RuntimesController, RuntimeHellosController],
  providers: [DeadLetterMetrics, RuntimesRepository, RuntimesService],
  exports: [RuntimesService],
})
export class RuntimesModule {}
