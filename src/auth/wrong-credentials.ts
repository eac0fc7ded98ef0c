import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { ApiError } from '../http/errors';
import { CONFIG, type Config } from '../config';
import { invalidCredential, tooManyWrongCredentials } from './auth.errors';
import { RATE_WINDOW_MS } from './rate-limit';

const MAX_SOURCES = 100_000;

/** Counts wrong credentials by where they come from, within a minute that begins with the first. */
@Injectable()
export class WrongCredentials {
  private readonly counts = new LRUCache<string, number>({
    max: MAX_SOURCES,
    ttl: RATE_WINDOW_MS,
    noUpdateTTL: true,
  });

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Whether as many came from there as may. */
  isLimitReached(source: string): boolean {
    return (this.counts.get(source) ?? 0) >= this.config.WRONG_CREDENTIALS_PER_MINUTE;
  }

  /** Counts one. @returns what to refuse it with */
  count(source: string): ApiError {
    const limit = this.config.WRONG_CREDENTIALS_PER_MINUTE;
    if (this.isLimitReached(source)) {
      const seconds = Math.max(1, Math.ceil(this.counts.getRemainingTTL(source) / 1_000));
      return tooManyWrongCredentials(limit, seconds);
    }
    // Reading first also removes a count whose minute is over, so that setting begins another one.
    this.counts.set(source, (this.counts.get(source) ?? 0) + 1);
    return invalidCredential();
  }
}

/** The address that a request is counted under: of IPv6 the network of 64 bits, which one client has to itself. */
export function sourceOf({ ip = '' }: { ip?: string }): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
