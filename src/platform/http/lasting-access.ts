import { type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ApiError } from './errors';

/** The longest time for which a response outlives its credential. */
const CHECK_INTERVAL_MS = 2_000;

/** The guard of every request. */
export abstract class CredentialCheck {
  /** Rejects if the credential has ended. */
  abstract canActivate(context: ExecutionContext): Promise<boolean>;
}

/** Checks the credential of a long response again, as long as it lasts. */
@Injectable()
export class LastingAccess {
  private readonly logger = new Logger(LastingAccess.name);

  constructor(private readonly providers: ModuleRef) {}

  /**
   * Calls back each time that the credential is found to have ended.
   * @returns the function that ends the checks, to be called when the response is closed
   */
  watch(context: ExecutionContext, onEnd: () => void): () => void {
    let isChecking = false;
    const check = async () => {
      if (isChecking) return;
      isChecking = true;
      if (!(await this.isAllowed(context))) onEnd();
      isChecking = false;
    };
    const checks = setInterval(() => void check(), CHECK_INTERVAL_MS);
    return () => clearInterval(checks);
  }

  /** A check that fails by itself, as without the database, ends nothing. */
  private async isAllowed(context: ExecutionContext): Promise<boolean> {
    try {
      return await this.providers.get(CredentialCheck, { strict: false }).canActivate(context);
    } catch (error) {
      if (error instanceof ApiError && error.getStatus() < 500) return false;
      this.logger.warn({ err: error }, 'The credential of a response could not be checked');
      return true;
    }
  }
}
