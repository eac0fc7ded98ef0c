import { Inject, Injectable } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { CONFIG, type Config } from '../../config';
import { type ApiError, rateLimited } from './errors';
import { getClientNetwork } from './client-network';
import { MinuteCounts } from './minute-counts';

/** Limits the requests of each client network that need no credential, or have none. */
@Injectable()
export class PublicRequests {
  private readonly counts = new MinuteCounts();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_REQUESTS_PER_MINUTE'>) {}

  /**
   * The middleware, which must come before all that answers. A request with a credential is counted for its
   * workspace, or as a wrong one.
   */
  middleware(): RequestHandler {
    const limitPublicRequests: RequestHandler = (request, _, next) =>
      next(hasCredential(request) ? undefined : this.count(request));
    return limitPublicRequests;
  }

  /** Counts a request whose credential was not checked: its path has no route, or the cookie is another one. */
  countRequest(request: Request): ApiError | undefined {
    return hasCredential(request) ? this.count(request) : undefined;
  }

  /** Counts a request that no middleware sees. @returns false if the limit is reached */
  admit(client: { ip?: string }): boolean {
    return this.count(client) === undefined;
  }

  /** @returns the refusal, if the limit is reached */
  private count(client: { ip?: string }): ApiError | undefined {
    const limit = this.config.PUBLIC_REQUESTS_PER_MINUTE;
    const network = getClientNetwork(client);
    if (this.counts.of(network) >= limit) {
      return rateLimited(
        `This address may send ${limit} requests without a credential a minute`,
        this.counts.secondsLeft(network),
      );
    }
    this.counts.add(network);
    return undefined;
  }
}

/** Only the paths of the API take one. Whether it is valid is decided later. */
const hasCredential = ({ url, headers }: Request): boolean =>
  url.startsWith('/api/') &&
  (headers['x-api-key'] !== undefined || headers.authorization !== undefined || headers.cookie !== undefined);
