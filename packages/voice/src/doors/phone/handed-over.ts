import { type Clock, pause } from '../../clock';
import { MAX_CALL_SECONDS } from './time-limits';

const KEPT_MS = MAX_CALL_SECONDS * 1_000;
const MAX_CALLS = 10_000;
/** The carrier is asked this often whether the call goes on, since a report of its end may be lost. */
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
  /** Asks the carrier whether the call is over. */
  isOver: (id: string) => Promise<boolean>;
  hangUp: (callId: string, id: string) => void;
}

interface Watched {
  callId: string;
  id: string;
  /** The time by the clock at which it is hung up. */
  latest: number;
  end: (end: HandedOverEnd) => void;
  signal: AbortSignal;
}

/** The calls of persons who were connected with a number. The carrier conducts them, and late events end nothing. */
export class HandedOver {
  /** By the id at the carrier. The oldest one is the first. */
  private readonly calls = new Map<string, { since: number; end: (end: HandedOverEnd) => void }>();
  /** Ends that were reported before the connection: callbacks may overtake each other. */
  private readonly early = new Map<string, { since: number; end: HandedOverEnd }>();
  /** Calls that are watched until they end, also those that are too many to be known by their ids. */
  private readonly watched = new Set<AbortController>();
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly controls: HandedOverControls,
  ) {}

  /** The process ends: no carrier is asked any more. */
  close(): void {
    this.isClosed = true;
    for (const watching of this.watched) watching.abort();
  }

  has(id: string): boolean {
    return Date.now() - (this.calls.get(id)?.since ?? -Infinity) < KEPT_MS;
  }

  /**
   * @param id at the carrier
   * @param maximumSeconds the time limit that the carrier has for the call
   * @returns the call, which ends when the carrier reports it or says it, and after its time limit
   */
  follow(callId: string, id: string, maximumSeconds: number): HandedOverCall {
    const now = Date.now();
    const early = this.early.get(id);
    this.early.delete(id);
    forgetOld(this.calls, now);
    const watching = new AbortController();
    this.watched.add(watching);
    if (this.isClosed) watching.abort();
    let resolve: (end: HandedOverEnd) => void = () => undefined;
    const ended = new Promise<HandedOverEnd>((settle) => (resolve = settle));
    const end = (over: HandedOverEnd) => {
      resolve(over);
      this.watched.delete(watching);
      watching.abort();
    };
    this.calls.set(id, { since: now, end });
    if (early) end(early.end);
    const latest = this.clock.now() + maximumSeconds * 1_000 + LATE_MS;
    void this.watch({ callId, id, latest, end, signal: watching.signal });
    return { ended, hangUp: () => this.controls.hangUp(callId, id) };
  }

  private async watch({ callId, id, latest, end, signal }: Watched): Promise<void> {
    for (;;) {
      await pause(this.clock, ASK_MS, signal);
      if (signal.aborted) return;
      const isLate = this.clock.now() >= latest;
      if (isLate) this.controls.hangUp(callId, id);
      // A carrier that does not answer is asked again.
      if (isLate || (await this.controls.isOver(id).catch(() => false))) end({ at: new Date() });
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
