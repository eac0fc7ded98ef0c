import { type Clock, pause } from './clock';

/** The pauses for a service that is busy, in all and without their jitter. The person waits no longer in a turn. */
const PAUSES_MS = 4_000;
const FIRST_PAUSE_MS = 250;
/** The calls that were refused together do not come back together. */
const JITTER = 0.25;

/** A service takes no more now. */
export class BusyError extends Error {
  constructor(
    message: string,
    /** The time after which it may be asked again; undefined: the service does not say. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
    this.name = 'BusyError';
  }
}

/** This process has no place left for a request to an account, which says nothing about its provider. */
export class PlaceError extends BusyError {
  constructor(message: string) {
    // The person has waited long enough: it is not tried again.
    super(message, Infinity);
    this.name = 'PlaceError';
  }
}

/** A service answered in time, with something that cannot be used. Other requests may have better answers. */
export class ContentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ContentError';
  }
}

/** A service refused a request. */
export class RefusalError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = 'RefusalError';
  }
}

/** All providers of a part have failed, also the further attempt of the last one. */
export class FinalError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FinalError';
  }
}

/** @returns the milliseconds that a header `Retry-After` asks for; undefined: it says nothing */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The further attempts of one step of a turn: one after a failure, and several while a service is busy. */
export class Retries {
  private failures = 0;
  private pauses = 0;
  private leftMs = PAUSES_MS;

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  /** Waits until the service may be asked again. @returns false if it may not, or the signal is aborted */
  async again(error: unknown): Promise<boolean> {
    if (this.signal.aborted || error instanceof FinalError) return false;
    if (!(error instanceof BusyError)) return ++this.failures === 1;
    const ms = Math.max(error.retryAfterMs ?? 0, FIRST_PAUSE_MS * 2 ** this.pauses++);
    if (ms > this.leftMs) return false;
    this.leftMs -= ms;
    await pause(this.clock, ms * (1 + JITTER * Math.random()), this.signal);
    return !this.signal.aborted;
  }
}
