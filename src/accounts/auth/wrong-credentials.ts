import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { getClientNetwork } from '../../platform/http/client-network';
import type { ApiError } from '../../platform/http/errors';
import { MinuteCounts } from '../../platform/http/minute-counts';
import { invalidCredential, tooManyWrongCredentials } from './auth.errors';
import { isCallToken } from './call-token';
import { RecentlyValid } from './recently-valid';

/** A workspace has far more calls at once than keys. */
const CALLS_OF_WORKSPACE = 1_000;
const KEYS_OF_WORKSPACE = 100;

/**
 * Counts the wrong credentials of each client network. After too many, it refuses those that only a query can check,
 * unless they were valid recently. A wrong signature needs no query.
 */
@Injectable()
export class WrongCredentials {
  private readonly counts = new MinuteCounts();
  private readonly recentKeys = new RecentlyValid(KEYS_OF_WORKSPACE);
  private readonly recentCalls = new RecentlyValid(CALLS_OF_WORKSPACE);

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  isLimitReached(client: { ip?: string }): boolean {
    return this.counts.of(getClientNetwork(client)) >= this.config.WRONG_CREDENTIALS_PER_MINUTE;
  }

  /**
   * @param find looks the credential up in the database
   * @returns what `find` returns
   * @throws 429 without a query
   */
  async lookUp<Found extends { workspaceId: string }>(
    client: { ip?: string },
    credential: string,
    find: (credential: string) => Promise<Found | null>,
  ): Promise<Found | null> {
    const recent = isCallToken(credential) ? this.recentCalls : this.recentKeys;
    this.assertNoGuess(client, () => recent.has(credential));
    const found = await find(credential);
    if (found) recent.add(credential, found.workspaceId);
    else recent.delete(credential);
    return found;
  }

  /** @throws 429 if too many wrong credentials came from this address, unless this one is known */
  assertNoGuess(client: { ip?: string }, isKnown = () => false): void {
    // Usually nothing was counted, and no address has to be looked up.
    if (!this.counts.isEmpty && this.isLimitReached(client) && !isKnown()) throw this.count(client);
  }

  /** Counts a wrong credential. @returns the error to answer it with */
  count(client: { ip?: string }): ApiError {
    const network = getClientNetwork(client);
    if (this.isLimitReached(client)) {
      const limit = this.config.WRONG_CREDENTIALS_PER_MINUTE;
      return tooManyWrongCredentials(limit, this.counts.secondsLeft(network));
    }
    this.counts.add(network);
    return invalidCredential();
  }
}
