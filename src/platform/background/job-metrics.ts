import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InstallationGauges } from './installation-gauges';
import { JobMetricsRepository, MAX_COUNTED_JOBS } from './job-metrics.repository';

/** Shows the jobs in the metrics. */
@Injectable()
export class JobMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly gauges: InstallationGauges,
    private readonly jobs: JobMetricsRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.gauges.add({
      name: 'jobs_pending',
      help: `Jobs that are due and wait for a job worker, up to ${MAX_COUNTED_JOBS}.`,
      read: () => this.jobs.countPending(),
    });
    this.gauges.add({
      name: 'jobs_failed',
      help: `Jobs that failed too often and are not repeated, up to ${MAX_COUNTED_JOBS}.`,
      read: () => this.jobs.countFailed(),
    });
  }
}
