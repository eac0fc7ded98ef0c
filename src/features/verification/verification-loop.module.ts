import { Inject, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { CONFIG, type Config } from '../../config';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { Metrics } from '../../platform/monitoring/metrics';
import { MonitoringModule } from '../../platform/monitoring/monitoring.module';
import { VerificationModule } from './verification.module';
import { CHECK_NAMES, VerificationService } from './verification.service';

/** Violations that are logged one by one. */
const MAX_LOGGED = 20;

/** Checks the invariants in the background, and shows what it finds in the metrics and in the log. */
@Module({ imports: [VerificationModule, MonitoringModule] })
export class VerificationLoopModule implements OnApplicationBootstrap {
  private readonly logger = new Logger('Verification');
  private readonly found: Gauge;
  private completedAt = Date.now();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly verification: VerificationService,
    private readonly loops: BackgroundLoops,
    private readonly metrics: Metrics,
  ) {
    const { registry } = metrics;
    this.found = new Gauge({
      name: 'invariant_violations',
      help: 'Violations of invariants that the last check found, by check.',
      labelNames: ['check'],
      aggregator: 'max',
      registers: [registry],
    });
  }

  onApplicationBootstrap(): void {
    const { VERIFY_MINUTES } = this.config;
    if (VERIFY_MINUTES === 0) return;
    this.showAge(VERIFY_MINUTES * 60);
    this.loops.start(
      () => this.verify(),
      VERIFY_MINUTES * 60_000,
      'The invariants could not be checked; the next attempt follows',
      VERIFY_MINUTES * 60_000,
    );
  }

  /** Checks everything once. */
  async verify(): Promise<void> {
    const { violations } = await this.verification.verify({ isStopping: () => this.loops.areStopping });
    this.completedAt = Date.now();
    for (const check of CHECK_NAMES)
      this.found.set({ check }, violations.filter((violation) => violation.check === check).length);
    for (const violation of violations.slice(0, MAX_LOGGED))
      this.logger.error(violation, 'An invariant is violated');
  }

  /** Shows when the last check was completed, so that an alert notices checks that fail or hang. */
  private showAge(intervalSeconds: number): void {
    const { registry } = this.metrics;
    new Gauge({
      name: 'verification_interval_seconds',
      help: 'Seconds between two checks of the invariants. Missing: they are not checked.',
      aggregator: 'max',
      registers: [registry],
    }).set(intervalSeconds);
    const age: Gauge = new Gauge({
      name: 'verification_seconds_since_completion',
      help: 'Seconds since this process completed a check of the invariants, or since it started.',
      aggregator: 'min',
      registers: [registry],
      collect: () => age.set((Date.now() - this.completedAt) / 1_000),
    });
  }
}
