import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { ExportsModule } from '../http/exports';
import { CallExportRepository } from './call-export.repository';
import { CallExportService } from './call-export.service';
import { CallRecordsController } from './call-records.controller';
import { CallRecordsRepository } from './call-records.repository';
import { CallRecordsService } from './call-records.service';
import { CallReportsController } from './call-reports.controller';
import { CallReportsRepository } from './call-reports.repository';
import { CallReportsService } from './call-reports.service';
import { CallSeriesController } from './call-series.controller';
import { CallSeriesRepository } from './call-series.repository';
import { CallSeriesService } from './call-series.service';

@Module({
  imports: [CallsModule, ExportsModule],
  controllers: [CallRecordsController, CallReportsController, CallSeriesController],
  providers: [
    CallExportRepository,
    CallExportService,
    CallRecordsRepository,
    CallRecordsService,
    CallReportsRepository,
    CallReportsService,
    CallSeriesRepository,
    CallSeriesService,
  ],
})
export class CallRecordsModule {}
