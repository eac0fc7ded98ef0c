import { Module } from '@nestjs/common';
import { RuntimeHellosController } from './runtime-hellos.controller';
import { RuntimesController } from './runtimes.controller';
import { RuntimesRepository } from './runtimes.repository';
import { RuntimesService } from './runtimes.service';

@Module({
  controllers: [RuntimesController, RuntimeHellosController],
  providers: [RuntimesRepository, RuntimesService],
})
export class RuntimesModule {}
