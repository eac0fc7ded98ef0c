import { ArgumentError } from './argument-error';
import { ParleyError } from './errors';

/** The time limit of an attempt, with the signal of the user: its own signal aborts at the first of both. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasPassed = false;

  constructor(
    private timeoutMs: number,
    private readonly outer?: AbortSignal,
  ) {
    outer?.throwIfAborted();
    outer?.addEventListener('abort', this.forward, { once: true });
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Begins the time anew, for the next part of a stream. @param timeoutMs default: as before */
  restart(timeoutMs = this.timeoutMs): void {
    this.timeoutMs = timeoutMs;
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

  /**
   * @param answered the answer that was being read, if there is one
   * @returns what a caller gets for an error of `fetch`
   */
  explain(error: unknown, answered?: Response): unknown {
    if (error instanceof ParleyError || error instanceof ArgumentError) return error;
    if (this.hasPassed) {
      const message = `There was no answer within ${this.timeoutMs} ms`;
      return new ParleyError({ code: 'TIMEOUT', message, cause: error });
    }
    if (this.outer?.aborted) return this.outer.reason;
    if (error instanceof SyntaxError && answered) return refuseSyntax(answered, error);
    return new ParleyError({ code: 'CONNECTION_FAILED', message: describe(error), cause: error });
  }

  private readonly forward = () => this.controller.abort(this.outer?.reason);
}

function refuseSyntax({ status, url, headers }: Response, cause: SyntaxError): ParleyError {
  return new ParleyError({
    status,
    code: 'INVALID_RESPONSE',
    message: `The answer of ${url} with status ${status} is not JSON, although it says so: ${cause.message}`,
    requestId: headers.get('x-request-id') ?? undefined,
    cause,
  });
}

/** `fetch` has the reason in the cause of its error. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Several addresses of one name were tried.
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  const reason = first instanceof Error ? first.message : String(first);
  return `The server cannot be reached, or the connection was lost: ${reason}`;
}
