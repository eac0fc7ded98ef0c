import { setMaxListeners } from 'node:events';
import type { Logger } from '@parley/worker';
import { type Clock, pause } from '../../clock';
import { describeError } from '../../errors';
import { MAX_CALL_SECONDS } from './time-limits';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;
/** The carrier itself ends a call after this time. */
const GIVEN_UP_MS = MAX_CALL_SECONDS * 1_000;
/** A process that ends waits for the requests that are under way, by no more than this. */
const CLOSE_MS = 5_000;

/** The requests that end calls at the carrier. One that fails is repeated, because the call would go on and cost money. */
export class HangUps {
  /** By the id at the carrier. Each resolves when the call is over, or given up. */
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly closed = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    // Each call whose request is repeated waits for the signal.
    setMaxListeners(0, this.closed.signal);
  }

  /**
   * @param id at the carrier
   * @param request resolves when the call is over, also if it was before
   */
  end(callId: string, id: string, request: () => Promise<void>): void {
    if (this.underWay.has(id)) return;
    const ending = this.repeat(callId, request).finally(() => this.underWay.delete(id));
    this.underWay.set(id, ending);
  }

  /** Resolves when all calls are over, or the process may wait no longer. */
  async close(): Promise<void> {
    const cancel = this.clock.after(CLOSE_MS, () => this.closed.abort());
    await Promise.all(this.underWay.values());
    cancel();
    this.closed.abort();
  }

  private async repeat(callId: string, request: () => Promise<void>): Promise<void> {
    const from = this.clock.now();
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
      try {
        return await request();
      } catch (error) {
        const isLast = this.closed.signal.aborted || this.clock.now() - from > GIVEN_UP_MS;
        const isFirst = ms === FIRST_PAUSE_MS;
        const about = callId === '' ? 'A call' : `Call ${callId}`;
        if (isLast || isFirst)
          this.logger.warn(
            `${about} was not hung up${isLast ? '' : ', so the carrier is asked again'}: ${describeError(error)}`,
          );
        if (isLast) return;
      }
      // When the process ends, the last request is sent early.
      await pause(this.clock, ms, this.closed.signal);
    }
  }
}
