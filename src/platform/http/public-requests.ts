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
  private readonly probes = new MinuteCounts();
  private readonly forgeries = new MinuteCounts();

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
  admit(client: { ip?: string; url?: string }): boolean {
    return this.count(client) === undefined;
  }

  /** Counts a webhook whose signature was wrong. One that is signed counts nowhere. */
  countForgery(client: { ip?: string }): void {
    this.forgeries.add(getClientNetwork(client));
  }

  /** @returns the refusal of a forged webhook, if too many from its address were */
  refuseForger(client: { ip?: string }): ApiError | undefined {
    return this.refuse(client, this.forgeries);
  }

  /**
   * Probes have a count of their own: a proxy would take a server out if strangers behind the proxy's address used up
   * the limit.
   * @returns the refusal, if the limit is reached
   */
  private count(client: { ip?: string; url?: string }): ApiError | undefined {
    const counts = client.url?.startsWith('/health/') ? this.probes : this.counts;
    const refusal = this.refuse(client, counts);
    if (!refusal) counts.add(getClientNetwork(client));
    return refusal;
  }

  private refuse(client: { ip?: string }, counts: MinuteCounts): ApiError | undefined {
    const limit = this.config.PUBLIC_REQUESTS_PER_MINUTE;
    const network = getClientNetwork(client);
    if (counts.of(network) < limit) return undefined;
    return rateLimited(
      `This address may send ${limit} requests without a credential a minute`,
      counts.secondsLeft(network),
    );
  }
}

/** Only the paths of the API take one. Whether it is valid is decided later. */
const hasCredential = ({ url, headers }: Request): boolean =>
  url.startsWith('/api/') &&
  (headers['x-api-key'] !== undefined || headers.authorization !== undefined || headers.cookie !== undefined);
