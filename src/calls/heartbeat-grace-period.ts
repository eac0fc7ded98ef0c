import { performance } from 'node:perf_hooks';
import type { Config } from '../config';
import { LONGEST_PAUSE_MS } from '../messaging/broker.server';
import { MessageBroker, PublishFailed } from '../messaging/message-broker';

/**
 * Whether this server has listened for long enough to call a silent runtime lost. After an outage of the server, its
 * database or its broker all runtimes seem silent: their heartbeats wait in a queue, with a handler that pauses before
 * it tries again, or with them. So none is given up before each had the time for two more heartbeats to be heard.
 */
export class HeartbeatGracePeriod {
  private readonly neededMs: number;
  private readonly longestGapMs: number;
  private since = Infinity;
  private lastLook = -Infinity;

  constructor(
    private readonly broker: MessageBroker,
    config: Pick<Config, 'HEARTBEAT_SECONDS' | 'SWEEP_INTERVAL_MS'>,
  ) {
    const heartbeatMs = config.HEARTBEAT_SECONDS * 1_000;
    this.neededMs = 2 * heartbeatMs + LONGEST_PAUSE_MS;
    // A sweep that fails, as while the database is away, or comes late, as in a frozen process, leaves a gap.
    this.longestGapMs = heartbeatMs + config.SWEEP_INTERVAL_MS;
  }

  /** To be asked at each sweep, after the database was reached. */
  async isLongEnough(): Promise<boolean> {
    const now = performance.now();
    const wasInterrupted = now - this.lastLook > this.longestGapMs || !(await this.reachesBroker());
    if (wasInterrupted) this.since = now;
    this.lastLook = now;
    return now - this.since >= this.neededMs;
  }

  private async reachesBroker(): Promise<boolean> {
    try {
      await this.broker.check();
      return true;
    } catch (error) {
      if (error instanceof PublishFailed) return false;
      throw error;
    }
  }
}
