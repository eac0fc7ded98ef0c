import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { CONFIG, type Config } from '../config';
import type { ApiError } from '../http/errors';
import { invalidCredential, tooManyWrongCredentials } from './auth.errors';
import { RATE_WINDOW_MS } from './rate-limit';

/** Attackers choose their IPv6 networks, so the memory must be bounded. */
const MAX_NETWORKS = 100_000;

/** Counts the wrong credentials of each client network in the minute after the first one. */
@Injectable()
export class WrongCredentials {
  private readonly counts = new LRUCache<string, number>({
    max: MAX_NETWORKS,
    ttl: RATE_WINDOW_MS,
    noUpdateTTL: true,
  });

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** No credential was wrong recently, so no address has to be looked up. */
  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  isLimitReached(clientNetwork: string): boolean {
    return (this.counts.get(clientNetwork) ?? 0) >= this.config.WRONG_CREDENTIALS_PER_MINUTE;
  }

  /** Counts a wrong credential. @returns the error to answer it with */
  count(clientNetwork: string): ApiError {
    const limit = this.config.WRONG_CREDENTIALS_PER_MINUTE;
    if (this.isLimitReached(clientNetwork)) {
      const seconds = Math.max(1, Math.ceil(this.counts.getRemainingTTL(clientNetwork) / 1_000));
      return tooManyWrongCredentials(limit, seconds);
    }
    // get() removes a count whose minute is over, so that set() starts a new minute.
    this.counts.set(clientNetwork, (this.counts.get(clientNetwork) ?? 0) + 1);
    return invalidCredential();
  }
}

/** The address of a client. For IPv6, its network of 64 bits, which usually belongs to one client. */
export function clientNetworkOf({ ip = '' }: { ip?: string }): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
