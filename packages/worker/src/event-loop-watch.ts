import type { Logger } from './logger';

const PING_MS = 1_000;
/** After this many pings without an answer, the event loop is blocked. */
const BLOCKED_PINGS = 2;
/** A shorter interruption is not worth a warning. */
const WARN_MS = 5_000;

export interface EventLoopWatchOptions {
  ping: () => void;
  blocked: (isBlocked: boolean) => void;
  logger: Logger;
}

/** Detects from another thread that handlers block the event loop: a call that is claimed then could not begin. */
export class EventLoopWatch {
  private timer: NodeJS.Timeout | undefined;
  private unanswered = 0;
  private answeredAt = Date.now();

  constructor(private readonly options: EventLoopWatchOptions) {}

  start(): void {
    this.answeredAt = Date.now();
    this.timer = setInterval(() => this.ping(), PING_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  pong(): void {
    const silentMs = Date.now() - this.answeredAt;
    this.answeredAt = Date.now();
    if (this.unanswered >= BLOCKED_PINGS) this.options.blocked(false);
    this.unanswered = 0;
    if (silentMs < WARN_MS) return;
    this.options.logger.warn(
      `The event loop was blocked for ${Math.round(silentMs / 1_000)} s. Heartbeats went on, but nothing else did.`,
    );
  }

  private ping(): void {
    this.unanswered += 1;
    if (this.unanswered === BLOCKED_PINGS) this.options.blocked(true);
    // One ping is enough: a blocked event loop answers it when it continues.
    if (this.unanswered === 1) this.options.ping();
  }
}
