import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { InstallationGauges } from '../../../platform/background/installation-gauges';
import { Metrics } from '../../../platform/monitoring/metrics';
import { REASON } from '../model/call-states';
import { CallMetricsRepository } from './call-metrics.repository';

const WAIT_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

/** The metrics of the states of calls. Counters and histograms have the changes that this process has made. */
@Injectable()
export class CallMetrics implements OnApplicationBootstrap {
  private readonly ends: Counter<'reason'>;
  private readonly lostLeases: Counter;
  private readonly claims: Histogram;
  private readonly connections: Histogram;

  constructor(
    { registry }: Metrics,
    private readonly gauges: InstallationGauges,
    private readonly calls: CallMetricsRepository,
  ) {
    const registers = [registry];
    this.ends = new Counter({
      name: 'calls_ended_total',
      help: 'Calls that have ended, by disconnect_reason.',
      labelNames: ['reason'],
      registers,
    });
    this.lostLeases = new Counter({
      name: 'leases_lost_total',
      help: 'Calls that were ended because their runtime was silent for LEASE_SECONDS.',
      registers,
    });
    this.claims = new Histogram({
      name: 'call_claim_seconds',
      help: 'Seconds from the acceptance of a call to its claim by a runtime.',
      buckets: WAIT_SECONDS,
      registers,
    });
    this.connections = new Histogram({
      name: 'call_connect_seconds',
      help: 'Seconds from the acceptance of a call until the other side answered it.',
      buckets: WAIT_SECONDS,
      registers,
    });
  }

  onApplicationBootstrap(): void {
    this.gauges.add({
      name: 'calls_in_progress',
      help: 'Calls that have not ended, by status.',
      label: 'status',
      read: () => this.calls.countInProgress(),
    });
  }

  countEnd(reason: string): void {
    this.ends.inc({ reason });
    if (reason === REASON.worker_lost) this.lostLeases.inc();
  }

  observeClaim(seconds: number): void {
    this.claims.observe(seconds);
  }

  observeConnection(seconds: number): void {
    this.connections.observe(seconds);
  }
}
