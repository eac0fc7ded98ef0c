import { Global, Module } from '@nestjs/common';
import { MonitoringModule } from '../monitoring/monitoring.module';
import { InstallationGauges } from './installation-gauges';
import { JobMetrics } from './job-metrics';
import { JobMetricsRepository } from './job-metrics.repository';
import { JobRunner } from './job-runner';

@Global()
@Module({
  imports: [MonitoringModule],
  providers: [InstallationGauges, JobMetrics, JobMetricsRepository, JobRunner],
  exports: [InstallationGauges, JobRunner],
})
export class JobsModule {}
