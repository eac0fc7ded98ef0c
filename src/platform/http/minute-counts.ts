import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;

/** Attackers choose their IPv6 networks, so the memory must be bounded. */
const MAX_NETWORKS = 100_000;

/** Counts something for each client network, in the minute after the first one. */
export class MinuteCounts {
  private readonly counts = new LRUCache<string, number>({
    // `max` would reserve the memory for all of them at once.
    maxSize: MAX_NETWORKS,
    sizeCalculation: () => 1,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
  });

  /** Whether nothing was counted lately, so that no address has to be looked up. */
  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  of(clientNetwork: string): number {
    return this.counts.get(clientNetwork) ?? 0;
  }

  add(clientNetwork: string): void {
    // get() removes a count whose minute is over, so that set() starts a new minute.
    this.counts.set(clientNetwork, this.of(clientNetwork) + 1);
  }

  /** The seconds until the minute of the network is over. */
  secondsLeft(clientNetwork: string): number {
    return Math.max(1, Math.ceil(this.counts.getRemainingTTL(clientNetwork) / 1_000));
  }
}
