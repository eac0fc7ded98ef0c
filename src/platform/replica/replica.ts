import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Gauge } from 'prom-client';
import { CONFIG, type Config, urlsByHost } from '../../config';
import { Database } from '../database/database';
import { CHECK_INTERVAL_MS } from '../database/primary-client';
import { Metrics } from '../monitoring/metrics';
import { ReplicaTimestampRepository } from './replica-timestamp.repository';
import { ReplicaHost } from './replica-host';
import { ReportReader } from './report-reader';

/** A replica that is further behind is not used. */
const MAX_SECONDS_BEHIND = 30;

type ReplicaConfig = Pick<
  Config,
  'REPORTS_DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'WORKSPACE_CONNECTIONS' | 'ROLES'
>;

/** The replica of the database from which reports are read, while it follows closely enough. */
@Injectable()
export class Replica implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('Replica');
  private readonly hosts: ReplicaHost[];
  private timer: NodeJS.Timeout | undefined;
  /** The time of the primary at `performance.now()` 0. undefined: it has not been read yet */
  private primaryOrigin: number | undefined;
  private isReadingClock = false;
  private wasUsed = false;

  constructor(
    @Inject(CONFIG) config: ReplicaConfig,
    private readonly database: Database,
    private readonly timestamp: ReplicaTimestampRepository,
    { registry }: Metrics,
  ) {
    const { REPORTS_DATABASE_URL: url, ROLES } = config;
    // Reports are requests.
    const isUsed = url !== undefined && ROLES.includes('http');
    this.hosts = isUsed ? urlsByHost(url).map((each) => new ReplicaHost(each, config)) : [];
    const getSecondsBehind = () => this.getSecondsBehind();
    new Gauge({
      name: 'replica_seconds_behind',
      help: 'Seconds by which the replica of REPORTS_DATABASE_URL is behind, or that it is away. 0 without a replica.',
      registers: [registry],
      aggregator: 'max',
      collect() {
        this.set(getSecondsBehind());
      },
    });
  }

  onApplicationBootstrap(): void {
    if (this.hosts.length === 0) return;
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
    void this.check();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.close()));
  }

  /** Begins to read for one answer: from the replica if it can be used now. */
  open(): ReportReader {
    return new ReportReader(this.database, this.findHost(), (writtenAt) => this.isFresh(writtenAt));
  }

  /** A standby is preferred, because one of several hosts may be the primary itself. */
  private findHost(): ReplicaHost | undefined {
    const usable = this.hosts.filter(
      ({ isAway, timestamp }) => !isAway && timestamp && this.isFresh(timestamp.writtenAt),
    );
    return usable.find(({ timestamp }) => timestamp?.isStandby) ?? usable[0];
  }

  private isFresh(writtenAt: Date): boolean {
    return this.getAge(writtenAt) <= MAX_SECONDS_BEHIND;
  }

  /** In seconds by the clock of the primary, which is also what the row was written by. */
  private getAge(writtenAt: Date): number {
    if (this.primaryOrigin === undefined) return Infinity;
    return (this.primaryOrigin + performance.now() - writtenAt.getTime()) / 1_000;
  }

  private getSecondsBehind(): number {
    if (this.hosts.length === 0) return 0;
    const ages = this.hosts.map(({ timestamp }) => (timestamp ? this.getAge(timestamp.writtenAt) : Infinity));
    return Math.max(0, Math.min(...ages));
  }

  private async check(): Promise<void> {
    void this.readClock();
    const results = await Promise.allSettled(this.hosts.map((host) => host.check()));
    const isUsed = this.findHost() !== undefined;
    if (isUsed === this.wasUsed) return;
    this.wasUsed = isUsed;
    if (isUsed) return this.logger.log('Reports are read from the replica');
    const failure = results.find((result) => result.status === 'rejected');
    this.logger.warn({ err: failure?.reason as unknown }, 'The replica is away or behind, and is not used');
  }

  /** It may wait for a primary that is away. The clock that was read before is used meanwhile. */
  private async readClock(): Promise<void> {
    if (this.isReadingClock) return;
    this.isReadingClock = true;
    try {
      const now = await this.timestamp.readClock();
      this.primaryOrigin = now.getTime() - performance.now();
    } catch (error) {
      this.logger.debug({ err: error }, 'The clock of the primary could not be read');
    } finally {
      this.isReadingClock = false;
    }
  }
}
