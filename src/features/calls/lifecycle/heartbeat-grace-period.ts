import { performance } from 'node:perf_hooks';
import type { Config } from '../../../config';
import { LONGEST_PAUSE_MS } from '../../../platform/messaging/broker.server';
import { MessageBroker, PublishError } from '../../../platform/messaging/message-broker';

/**
 * Says whether the server has received messages for long enough to consider a silent runtime lost. After an outage
 * of the server, its database or its broker, all heartbeats are late. Each runtime then gets the time of two
 * heartbeats, and of the longest pause of a handler that tries again.
 */
export class HeartbeatGracePeriod {
  private readonly lengthMs: number;
  private readonly maxCheckIntervalMs: number;
  private startedAt = Infinity;
  private lastCheckAt = -Infinity;

  constructor(
    private readonly broker: MessageBroker,
    config: Pick<Config, 'HEARTBEAT_SECONDS' | 'SWEEP_INTERVAL_MS'>,
  ) {
    const heartbeatMs = config.HEARTBEAT_SECONDS * 1_000;
    this.lengthMs = 2 * heartbeatMs + LONGEST_PAUSE_MS;
    this.maxCheckIntervalMs = heartbeatMs + config.SWEEP_INTERVAL_MS;
  }

  /**
   * The caller calls it in each sweep, after it has reached the database. A sweep that failed or was late, as in a
   * frozen process, leaves a gap between two checks, which starts the period again.
   */
  async isOver(): Promise<boolean> {
    const now = performance.now();
    const wasInterrupted =
      now - this.lastCheckAt > this.maxCheckIntervalMs ||
      !this.broker.isReceiving() ||
      !(await this.isBrokerReachable());
    if (wasInterrupted) this.startedAt = now;
    this.lastCheckAt = now;
    return now - this.startedAt >= this.lengthMs;
  }

  private async isBrokerReachable(): Promise<boolean> {
    try {
      await this.broker.check();
      return true;
    } catch (error) {
      if (error instanceof PublishError) return false;
      throw error;
    }
  }
}
