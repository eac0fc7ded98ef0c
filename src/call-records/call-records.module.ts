import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { CallRecordsController } from './call-records.controller';
import { CallRecordsRepository } from './call-records.repository';
import { CallRecordsService } from './call-records.service';

@Module({
  imports: [CallsModule],
  controllers: [CallRecordsController],
  providers: [CallRecordsRepository, CallRecordsService],
})
export class CallRecordsModule {}
