import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import type { ApiError } from '../../platform/http/errors';
import { MinuteCounts } from '../../platform/http/minute-counts';
import { invalidCredential, tooManyWrongCredentials } from './auth.errors';

/** Counts the wrong credentials of each client network. */
@Injectable()
export class WrongCredentials {
  private readonly counts = new MinuteCounts();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** No credential was wrong recently, so no address has to be looked up. */
  get isEmpty(): boolean {
    return this.counts.isEmpty;
  }

  isLimitReached(clientNetwork: string): boolean {
    return this.counts.of(clientNetwork) >= this.config.WRONG_CREDENTIALS_PER_MINUTE;
  }

  /** Counts a wrong credential. @returns the error to answer it with */
  count(clientNetwork: string): ApiError {
    if (this.isLimitReached(clientNetwork)) {
      const limit = this.config.WRONG_CREDENTIALS_PER_MINUTE;
      return tooManyWrongCredentials(limit, this.counts.secondsLeft(clientNetwork));
    }
    this.counts.add(clientNetwork);
    return invalidCredential();
  }
}
