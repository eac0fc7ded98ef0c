import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { CallRecordsController } from './call-records.controller';
import { CallRecordsRepository } from './call-records.repository';
import { CallRecordsService } from './call-records.service';
import { CallReportsController } from './call-reports.controller';
import { CallReportsRepository } from './call-reports.repository';
import { CallReportsService } from './call-reports.service';

@Module({
  imports: [CallsModule],
  controllers: [CallRecordsController, CallReportsController],
  providers: [CallRecordsRepository, CallRecordsService, CallReportsRepository, CallReportsService],
})
export class CallRecordsModule {}
