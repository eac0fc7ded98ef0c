import { HttpStatus, Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '../http/error-codes';
import { MessageBroker } from '../messaging/message-broker';
import { HealthRepository } from './health.repository';

/** A database or broker that does not answer within this time is down. */
const CHECK_TIMEOUT_MS = 2_000;

export const NOT_READY: ErrorCode = 'NOT_READY';

/** The answer of a process that runs. */
export const LIVE = { status: HttpStatus.OK, message: 'Live' };

const noAnswer = () =>
  pause(CHECK_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`No answer within ${CHECK_TIMEOUT_MS} ms`);
  });

/** Checks whether the process can take calls. */
@Injectable()
export class HealthService {
  private readonly logger = new Logger('Health');

  private isDraining = false;

  constructor(
    private readonly repository: HealthRepository,
    private readonly broker: MessageBroker,
  ) {}

  /** Makes the process not ready, so that it gets no further requests. */
  drain(): void {
    this.isDraining = true;
  }

  /**
   * The body of the probe, with its status. A process whose queues deliver nothing says so and stays ready: it accepts
   * calls, other processes may receive, and a queue without a majority would take all of them out of the proxy.
   */
  async check() {
    const [database, broker] = await Promise.all([
      this.getState('database', this.repository.ping()),
      this.getState('broker', this.broker.check()),
    ]);
    const isReady = !this.isDraining && database.state === 'up' && broker.state === 'up';
    return {
      status: isReady ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
      message: isReady ? 'Ready' : 'Not ready',
      ...(!isReady && { error_code: NOT_READY }),
      data: {
        database,
        broker: {
          kind: this.broker.kind,
          ...broker,
          ...(broker.state === 'up' && !this.broker.isReceiving() && { receiving: false }),
        },
      },
    };
  }

  /** Logs the reason. The response is public, and the reason can name hosts and users. */
  private async getState(part: string, check: Promise<unknown>): Promise<{ state: 'up' | 'down' }> {
    try {
      await Promise.race([check, noAnswer()]);
      return { state: 'up' };
    } catch (error) {
      this.logger.warn({ err: error }, `The ${part} is down`);
      return { state: 'down' };
    }
  }
}
