import { Logger } from '@nestjs/common';
import type { Algorithm } from 'jsonwebtoken';
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isStrongKey } from '../config';
import { keysUnavailable } from './auth.errors';

interface PublishedKey {
  kid: string | undefined;
  algorithm: Algorithm;
  key: KeyObject;
}

/** RFC 7517. */
type Jwk = JsonWebKey & { kid?: unknown; use?: unknown; alg?: unknown };

const ALGORITHMS: Record<string, Algorithm> = { RSA: 'RS256', EC: 'ES256' };

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;
const MAX_KEYS = 100;

export interface Intervals {
  /** Between two loads, when the first one succeeded. */
  refreshMs: number;
  /** The same when it failed. */
  retryMs: number;
  /** Between two loads that tokens with an unknown `kid` cause. */
  cooldownMs: number;
}

const INTERVALS: Intervals = { refreshMs: 300_000, retryMs: 5_000, cooldownMs: 30_000 };

/**
 * The keys that an identity provider publishes. They are loaded on a timer and looked up in memory; while they can not
 * be loaded, the last ones stay valid.
 */
export class PublishedKeys {
  private readonly logger = new Logger(PublishedKeys.name);
  private readonly stopping = new AbortController();
  private keys: PublishedKey[] | undefined;
  /** Whether the last load has failed, or there was none yet. */
  private hasFailed = true;
  private refused = new Set<unknown>();
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private coolsUntil = 0;

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
   * The key that checks a token with this header; undefined: there is none.
   * @throws 503 where it is unknown and the last load has failed
   */
  async find(algorithm: string, kid: string | undefined): Promise<KeyObject | undefined> {
    const known = this.lookUp(algorithm, kid);
    if (known) return known;
    // Random ids of keys wait for a shared, bounded load, and cause one in each cooldown at most.
    const mayLoad = Date.now() >= this.coolsUntil;
    if (!this.loading && mayLoad) {
      this.coolsUntil = Date.now() + this.intervals.cooldownMs;
      void this.load();
    }
    await this.loading;
    const loaded = this.lookUp(algorithm, kid);
    // An unknown key may be one that the provider has published since.
    if (!loaded && this.hasFailed) throw keysUnavailable(Math.ceil(this.intervals.retryMs / 1_000));
    return loaded;
  }

  /** A token without a `kid` can only mean the one key that there is. */
  private lookUp(algorithm: string, kid: string | undefined): KeyObject | undefined {
    const { keys = [] } = this;
    const found =
      kid === undefined
        ? keys.length === 1 && keys[0]?.algorithm === algorithm && keys[0]
        : keys.find((key) => key.kid === kid && key.algorithm === algorithm);
    return found ? found.key : undefined;
  }

  /** Never rejects. */
  private load(): Promise<void> {
    clearTimeout(this.timer);
    this.loading ??= this.fetchKeys()
      .then(
        (keys) => {
          this.keys = keys;
          this.hasFailed = false;
          return this.intervals.refreshMs;
        },
        (error: unknown) => {
          this.hasFailed = true;
          if (!this.stopping.signal.aborted) {
            this.logger.warn({ err: error }, 'The keys at JWKS_URL could not be loaded');
          }
          return this.intervals.retryMs;
        },
      )
      .then((pauseMs) => {
        this.loading = undefined;
        if (this.stopping.signal.aborted) return;
        this.timer = setTimeout(() => void this.load(), pauseMs).unref();
      });
    return this.loading;
  }

  private async fetchKeys(): Promise<PublishedKey[]> {
    const response = await fetch(this.url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await readBounded(response);
    if (!response.ok) throw new Error(`The identity provider answers with status ${response.status}`);
    const { keys } = (JSON.parse(text) ?? {}) as { keys?: unknown };
    if (!Array.isArray(keys) || keys.length > MAX_KEYS) {
      throw new Error(`The answer of the identity provider has no list "keys" of up to ${MAX_KEYS} keys`);
    }
    return this.usable(keys as unknown[]);
  }

  private usable(jwks: unknown[]): PublishedKey[] {
    const refusedBefore = this.refused;
    this.refused = new Set();
    return jwks.flatMap((jwk) => {
      const read = readKey((jwk ?? {}) as Jwk);
      if (typeof read === 'object') return [read];
      if (read === undefined) return [];
      const { kid } = jwk as Jwk;
      this.refused.add(kid);
      if (!refusedBefore.has(kid)) {
        const name = typeof kid === 'string' ? kid : 'without kid';
        this.logger.warn(
          { kid: name },
          `A key at JWKS_URL and the tokens signed with it are refused: it ${read}`,
        );
      }
      return [];
    });
  }
}

/** A key to check tokens with; or why it is refused; undefined: it is for something else. */
function readKey(jwk: Jwk): PublishedKey | string | undefined {
  const { kty, kid, use = 'sig', alg } = jwk;
  const algorithm = typeof kty === 'string' ? ALGORITHMS[kty] : undefined;
  if (!algorithm || use !== 'sig' || (alg !== undefined && alg !== algorithm)) return undefined;
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return 'can not be read';
  }
  if (!isStrongKey(key)) return 'is neither RSA of 2,048 bits or more nor EC on P-256';
  return { kid: typeof kid === 'string' ? kid : undefined, algorithm, key };
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > MAX_BYTES)
      throw new Error(`The answer of the identity provider has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString();
}
