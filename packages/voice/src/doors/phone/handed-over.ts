import { setMaxListeners } from 'node:events';
import { type Clock, pause } from '../../clock';
import { MAX_CALL_SECONDS } from './time-limits';

const KEPT_MS = MAX_CALL_SECONDS * 1_000;
const MAX_CALLS = 10_000;
/** The carrier is asked so often whether the call goes on, since a report of its end may be lost. */
const ASK_MS = 30_000;
/** The carrier ends the call itself at its time limit, and has this time to report it. */
const LATE_MS = 60_000;

/** The end of the call of two persons who were connected. */
export interface HandedOverEnd {
  at: Date;
  /** The time for which both were connected, if the carrier reports it before their connection. */
  seconds?: number;
}

/** The call of two persons who were connected. The carrier conducts it. */
export interface HandedOverCall {
  readonly ended: Promise<HandedOverEnd>;
  hangUp: () => void;
}

export interface HandedOverControls {
  /** The time limit that the carrier has for the call. */
  maximumSeconds: number;
  /** Asks the carrier whether the call is over. */
  isOver: () => Promise<boolean>;
  hangUp: () => void;
}

/** The calls of persons who were connected with a number. The carrier conducts them, and late events end nothing. */
export class HandedOver {
  /** By the id at the carrier. The oldest one is the first. */
  private readonly calls = new Map<string, { since: number; end: (end: HandedOverEnd) => void }>();
  /** Ends that were reported before the connection: callbacks may overtake each other. */
  private readonly early = new Map<string, { since: number; end: HandedOverEnd }>();

  private readonly closed = new AbortController();

  constructor(private readonly clock: Clock) {
    // Each call that is followed waits for the signal.
    setMaxListeners(0, this.closed.signal);
  }

  /** The process ends: no carrier is asked any more. */
  close(): void {
    this.closed.abort();
  }

  has(id: string): boolean {
    return Date.now() - (this.calls.get(id)?.since ?? -Infinity) < KEPT_MS;
  }

  /** @returns the call, which ends when the carrier reports it or says it, and after its time limit */
  follow(id: string, controls: HandedOverControls): HandedOverCall {
    const now = Date.now();
    const early = this.early.get(id);
    this.early.delete(id);
    forgetOld(this.calls, now);
    let end: (over: HandedOverEnd) => void = () => undefined;
    const ended = new Promise<HandedOverEnd>((resolve) => (end = resolve));
    this.calls.set(id, { since: now, end });
    if (early) end(early.end);
    // The end is its own: the oldest calls are forgotten here.
    void this.watch(ended, end, controls);
    return { ended, hangUp: controls.hangUp };
  }

  private async watch(
    ended: Promise<HandedOverEnd>,
    end: (over: HandedOverEnd) => void,
    { maximumSeconds, isOver, hangUp }: HandedOverControls,
  ): Promise<void> {
    const over = new AbortController();
    void ended.then(() => over.abort());
    const signal = AbortSignal.any([over.signal, this.closed.signal]);
    const latest = this.clock.now() + maximumSeconds * 1_000 + LATE_MS;
    for (;;) {
      await pause(this.clock, ASK_MS, signal);
      if (signal.aborted) return;
      const isLate = this.clock.now() >= latest;
      if (isLate) hangUp();
      // A carrier that does not answer is asked again.
      if (isLate || (await isOver().catch(() => false))) end({ at: new Date() });
    }
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
