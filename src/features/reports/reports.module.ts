import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module';
import { CallsModule } from '../calls/calls.module';
import { DemoRecordingsModule } from '../demo-recordings/demo-recordings.module';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { FilesModule } from '../../platform/files/files.module';
import { FindingsLoop } from './findings/findings-loop';
import { FindingsRepository } from './findings/findings.repository';
import { RecordingCleaner } from './recordings/recording-cleaner';
import { RecordingsController } from './recordings/recordings.controller';
import { RecordingsRepository } from './recordings/recordings.repository';
import { RecordingsService } from './recordings/recordings.service';
import { StreamedAnswersModule } from '../../platform/http/streamed-answers.module';
import { CallStatisticsController } from './statistics/call-statistics.controller';
import { CallStatisticsRepository } from './statistics/call-statistics.repository';
import { CallStatisticsService } from './statistics/call-statistics.service';
import { ConversationsController } from './conversations/conversations.controller';
import { ConversationsRepository } from './conversations/conversations.repository';
import { ConversationsService } from './conversations/conversations.service';
import { CallExportRepository } from './call-records/call-export.repository';
import { CallExportService } from './call-records/call-export.service';
import { CallRecordDeletionRepository } from './call-records/call-record-deletion.repository';
import { CallRecordsController } from './call-records/call-records.controller';
import { CallRecordsRepository } from './call-records/call-records.repository';
import { CallRecordsService } from './call-records/call-records.service';
import { CallReportsController } from './runtime-reports/call-reports.controller';
import { CallReportsRepository } from './runtime-reports/call-reports.repository';
import { CallReportsService } from './runtime-reports/call-reports.service';
import { CallSeriesController } from './series/call-series.controller';
import { CallSeriesRepository } from './series/call-series.repository';
import { CallSeriesService } from './series/call-series.service';
import { CallMeasurementsController } from './series/call-measurements.controller';
import { CallMeasurementsRepository } from './series/call-measurements.repository';
import { CallMeasurementsService } from './series/call-measurements.service';
import { SeriesPermits } from './series/series-permits';
import { CallMeasurer } from './measurements/call-measurer';
import { MeasurementsModule } from './measurements.module';
import { TranscriptsRepository } from './call-records/transcripts.repository';
import { TranscriptsService } from './call-records/transcripts.service';

@Module({
  imports: [
    AgentsModule,
    CallsModule,
    DemoRecordingsModule,
    FilesModule,
    MeasurementsModule,
    StreamedAnswersModule,
    WorkspacesModule,
  ],
  controllers: [
    ConversationsController,
    CallStatisticsController,
    CallRecordsController,
    CallReportsController,
    CallSeriesController,
    CallMeasurementsController,
    RecordingsController,
  ],
  providers: [
    ConversationsRepository,
    ConversationsService,
    CallStatisticsRepository,
    CallStatisticsService,
    CallExportRepository,
    CallExportService,
    CallRecordDeletionRepository,
    CallRecordsRepository,
    CallRecordsService,
    CallReportsRepository,
    CallReportsService,
    CallSeriesRepository,
    CallSeriesService,
    CallMeasurementsRepository,
    CallMeasurementsService,
    CallMeasurer,
    FindingsLoop,
    FindingsRepository,
    SeriesPermits,
    RecordingCleaner,
    RecordingsRepository,
    RecordingsService,
    TranscriptsRepository,
    TranscriptsService,
  ],
  exports: [CallRecordDeletionRepository, CallRecordsService, CallSeriesService, TranscriptsService],
})
export class ReportsModule {}
