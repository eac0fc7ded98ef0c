import { ParleyError } from './errors';

/** The time limit of an attempt, with the signal of the user: its own signal aborts at the first of both. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasPassed = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly outer?: AbortSignal,
  ) {
    outer?.throwIfAborted();
    outer?.addEventListener('abort', this.forward, { once: true });
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Begins the time anew, for the next part of a stream. */
  restart(): void {
    this.pause();
    this.timer = setTimeout(() => {
      this.hasPassed = true;
      this.controller.abort();
    }, this.timeoutMs);
  }

  /** Stops the clock while the reader of a stream does something else. */
  pause(): void {
    clearTimeout(this.timer);
  }

  end(): void {
    this.pause();
    this.outer?.removeEventListener('abort', this.forward);
  }

  /** @returns what a caller gets for an error of `fetch` */
  explain(error: unknown): unknown {
    if (error instanceof ParleyError) return error;
    if (this.hasPassed) {
      const message = `There was no answer within ${this.timeoutMs} ms`;
      return new ParleyError({ code: 'TIMEOUT', message, cause: error });
    }
    if (this.outer?.aborted) return this.outer.reason;
    if (error instanceof SyntaxError) {
      const message = 'The answer is not JSON, although it says so';
      return new ParleyError({ code: 'INVALID_RESPONSE', message, cause: error });
    }
    return new ParleyError({ code: 'CONNECTION_FAILED', message: describe(error), cause: error });
  }

  private readonly forward = () => this.controller.abort(this.outer?.reason);
}

/** `fetch` has the reason in the cause of its error. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Several addresses of one name were tried.
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  const reason = first instanceof Error ? first.message : String(first);
  return `The server cannot be reached, or the connection was lost: ${reason}`;
}
