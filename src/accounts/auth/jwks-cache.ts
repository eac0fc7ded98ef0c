import { Logger } from '@nestjs/common';
import type { KeyObject } from 'node:crypto';
import { keysUnavailable } from './auth.errors';
import { fetchJwks } from './fetch-jwks';
import { isRefused, parseJwk, type RefusedKey, type VerificationKey } from './verification-key';

export interface Intervals {
  /** The time from a load that succeeded to the next one. */
  refreshMs: number;
  /** The time from a load that failed to the next one. */
  retryMs: number;
  /** The time between two loads for tokens with an unknown `kid`. */
  cooldownMs: number;
}

const INTERVALS: Intervals = { refreshMs: 300_000, retryMs: 5_000, cooldownMs: 30_000 };

/**
 * The keys that an identity provider publishes. They are loaded on a timer and looked up in memory. If a load fails,
 * the keys of the last one stay valid.
 */
export class JwksCache {
  private readonly logger = new Logger(JwksCache.name);
  private readonly stopping = new AbortController();
  private keys: VerificationKey[] = [];
  /** true also before the first load has ended. */
  private isLastLoadFailed = true;
  private refusedKids = new Set<unknown>();
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private cooldownEnd = 0;

  constructor(
    private readonly url: string,
    private readonly intervals: Intervals = INTERVALS,
  ) {}

  start(): void {
    void this.load();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.loading;
  }

  /**
   * @returns the key for tokens with this header; undefined: there is none
   * @throws 503 if the key is unknown and the last load failed
   */
  async find(algorithm: string, kid: string | undefined): Promise<KeyObject | undefined> {
    const known = this.lookUp(algorithm, kid);
    if (known) return known;
    // Tokens with random key ids share one load, and cause at most one in each cooldown.
    if (!this.loading && Date.now() >= this.cooldownEnd) {
      this.cooldownEnd = Date.now() + this.intervals.cooldownMs;
      void this.load();
    }
    await this.loading;
    const loaded = this.lookUp(algorithm, kid);
    // The provider may have published the key since the last load that succeeded.
    if (!loaded && this.isLastLoadFailed) throw keysUnavailable(Math.ceil(this.intervals.retryMs / 1_000));
    return loaded;
  }

  /** A token without a `kid` is only accepted if there is a single key. */
  private lookUp(algorithm: string, kid: string | undefined): KeyObject | undefined {
    if (kid === undefined && this.keys.length > 1) return undefined;
    return this.keys.find((key) => key.algorithm === algorithm && (kid === undefined || key.kid === kid))
      ?.key;
  }

  /** Starts a load unless there is one. It never rejects, and schedules the next load. */
  private load(): Promise<void> {
    clearTimeout(this.timer);
    this.loading ??= this.refresh().then((pauseMs) => {
      this.loading = undefined;
      if (this.stopping.signal.aborted) return;
      this.timer = setTimeout(() => void this.load(), pauseMs).unref();
    });
    return this.loading;
  }

  /** @returns the pause before the next load */
  private async refresh(): Promise<number> {
    try {
      this.keys = this.accept(await fetchJwks(this.url, this.stopping.signal));
      this.isLastLoadFailed = false;
      return this.intervals.refreshMs;
    } catch (error) {
      this.isLastLoadFailed = true;
      if (!this.stopping.signal.aborted) {
        this.logger.warn({ err: error }, 'The keys at JWKS_URL could not be loaded');
      }
      return this.intervals.retryMs;
    }
  }

  private accept(jwks: unknown[]): VerificationKey[] {
    const keys = jwks.map(parseJwk).filter((key) => key !== undefined);
    const refused = keys.filter(isRefused);
    // Each refused key is logged once, although it is loaded again and again.
    refused.filter(({ kid }) => !this.refusedKids.has(kid)).forEach((key) => this.warn(key));
    this.refusedKids = new Set(refused.map(({ kid }) => kid));
    return keys.flatMap((key) => (isRefused(key) ? [] : [key]));
  }

  private warn({ kid, reason }: RefusedKey): void {
    this.logger.warn(
      { kid: typeof kid === 'string' ? kid : 'without kid' },
      `A key at JWKS_URL and the tokens signed with it are refused: ${reason}`,
    );
  }
}
