import { Module } from '@nestjs/common';
import { WorkerHellosController } from './worker-hellos.controller';
import { WorkersController } from './workers.controller';
import { WorkersRepository } from './workers.repository';
import { WorkersService } from './workers.service';

@Module({
  controllers: [WorkersController, WorkerHellosController],
  providers: [WorkersRepository, WorkersService],
})
export class WorkersModule {}
