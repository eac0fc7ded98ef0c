import { MAX_CALL_SECONDS } from './time-limits';

const KEPT_MS = MAX_CALL_SECONDS * 1_000;
const MAX_CALLS = 10_000;

/** The end of the call of two persons who were connected. */
export interface HandedOverEnd {
  at: Date;
  /** The time for which both were connected, if the carrier reports it before their connection. */
  seconds?: number;
}

/** The calls of persons who were connected with a number. The carrier conducts them, and late events end nothing. */
export class HandedOver {
  /** By the id at the carrier. The oldest one is the first. */
  private readonly calls = new Map<string, { since: number; end: (end: HandedOverEnd) => void }>();
  /** Ends that were reported before the connection: callbacks may overtake each other. */
  private readonly early = new Map<string, { since: number; end: HandedOverEnd }>();

  has(id: string): boolean {
    return Date.now() - (this.calls.get(id)?.since ?? -Infinity) < KEPT_MS;
  }

  /** @returns the end of the call, once the carrier reports it */
  follow(id: string): Promise<HandedOverEnd> {
    const now = Date.now();
    const early = this.early.get(id);
    this.early.delete(id);
    forgetOld(this.calls, now);
    return new Promise((resolve) => {
      this.calls.set(id, { since: now, end: resolve });
      if (early) resolve(early.end);
    });
  }

  /**
   * The carrier has reported the end of a call.
   * @param seconds the time for which both were connected, if the carrier says it
   */
  ended(id: string, seconds?: number): void {
    const now = Date.now();
    const at = new Date(now);
    const followed = this.calls.get(id);
    if (followed) return followed.end({ at });
    forgetOld(this.early, now);
    this.early.set(id, { since: now, end: { at, seconds } });
  }
}

function forgetOld(calls: Map<string, { since: number }>, now: number): void {
  for (const [id, { since }] of calls) {
    if (calls.size < MAX_CALLS && now - since < KEPT_MS) break;
    calls.delete(id);
  }
}
