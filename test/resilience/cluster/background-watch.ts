import { setTimeout as pause } from 'node:timers/promises';
import type { Served } from '../../support/balancer';

const READ_EVERY_MS = 200;
const READ_TIMEOUT_MS = 1_000;

const COUNTERS = {
  claims: /^call_claim_seconds_count (\d+)$/m,
  // A call that is given up as lost ends too, but no runtime has reported it.
  ends: /^calls_ended_total\{reason="user_hangup"\} (\d+)$/m,
};
const KINDS = ['claims', 'ends'] as const;

const readMetrics = async (url: string): Promise<string> => {
  const answer = await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  return answer.text();
};

/** Watches by the metrics of servers when claims of calls are granted, and when reported ends are stored. */
export class BackgroundWatch {
  readonly claims: Served[] = [];
  readonly ends: Served[] = [];
  private readonly urls = new Map<string, string>();

  /** Watches a server from now on, in the place of an earlier one with this name. */
  add(server: string, url: string): void {
    this.urls.set(server, url);
    void this.watch(server, url);
  }

  stop(): void {
    this.urls.clear();
  }

  /** Whether the server has done both since then. */
  isServing(server: string, since: number): boolean {
    return KINDS.every((kind) => this[kind].some((served) => served.server === server && served.at > since));
  }

  private async watch(server: string, url: string): Promise<void> {
    const counts = { claims: 0, ends: 0 };
    while (this.urls.get(server) === url) {
      // A server that is broken does not answer.
      const metrics = await readMetrics(url).catch(() => '');
      for (const kind of KINDS) {
        const count = Number(COUNTERS[kind].exec(metrics)?.[1] ?? counts[kind]);
        if (count > counts[kind]) this[kind].push({ at: Date.now(), server });
        counts[kind] = count;
      }
      await pause(READ_EVERY_MS);
    }
  }
}
