import { type Clock, systemClock } from '../clock';
import { SlowError } from '../providers/provider-health';
import { PlaceError } from '../retries';

/** The time for a place. A person waits for it in a turn. */
const WAIT_MS = 4_000;

/** A place of {@link AccountLimit}, or the wait for one. */
export interface Place {
  /** Resolves when it is there. */
  readonly taken: Promise<void>;
  /** @throws PlaceError if it is not there in time; the reason of the signal */
  within(signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** Bounds what one process has under way at once with an account of a provider. Places are given in order. */
export class AccountLimit {
  /** The first ones have a place, the others wait. */
  private readonly line = new Set<() => void>();

  constructor(
    /** The setting that has the limit, for the error. */
    private readonly setting: string,
    readonly places: number,
    private readonly clock: Clock = systemClock,
  ) {}

  enter(): Place {
    let give = () => undefined as void;
    const taken = new Promise<void>((resolve) => (give = resolve));
    this.line.add(give);
    this.giveFirst();
    return {
      taken,
      within: (signal) => this.wait(taken, signal),
      leave: () => {
        this.line.delete(give);
        this.giveFirst();
      },
    };
  }

  private giveFirst(): void {
    let left = this.places;
    for (const give of this.line) {
      if (left-- === 0) return;
      give();
    }
  }

  private async wait(taken: Promise<void>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let stop = () => undefined as void;
    const over = new Promise<never>((_, reject) => {
      // An attempt that was too slow because it waited here is no failure of the provider.
      const aborted = () => {
        const reason = signal.reason as Error;
        reject(reason instanceof SlowError ? new PlaceError(this.describe()) : reason);
      };
      signal.addEventListener('abort', aborted, { once: true });
      const late = () => reject(new PlaceError(`${this.describe()} for ${WAIT_MS / 1_000} s`));
      const cancel = this.clock.after(WAIT_MS, late);
      stop = () => {
        signal.removeEventListener('abort', aborted);
        cancel();
      };
    });
    try {
      await Promise.race([taken, over]);
    } finally {
      stop();
    }
  }

  private describe(): string {
    return `All ${this.places} places of ${this.setting} were taken`;
  }
}
