import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config';
import type { Caller } from '../../platform/http/access';
import { assertNotEncoded, readObject } from '../../platform/http/json-body';
import type { ApiError } from '../../platform/http/errors';
import { PublicRequests } from '../../platform/http/public-requests';
import { crossSiteRequest, noCredential } from './auth.errors';
import { isFromOwnPage } from './same-origin';
import { SessionCookie } from './session-cookie';
import { SessionsService } from './sessions.service';
import { WrongCredentials } from './wrong-credentials';

/** The largest body that is read without a credential in the headers. */
const MAX_LINK_BYTES = 1_024;

/** Authenticates requests without a credential in their headers: by the cookie of a session, or by a one-time link. */
@Injectable()
export class SessionAuthentication {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookie: SessionCookie,
    private readonly wrongCredentials: WrongCredentials,
    private readonly publicRequests: PublicRequests,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 401, 403, 429 */
  async byCookie(request: Request): Promise<Caller> {
    const token = this.cookie.read(request);
    if (token === undefined) throw this.noCredential(request);
    if (!isFromOwnPage(request, this.config.PUBLIC_URL)) throw crossSiteRequest();
    const caller = await this.wrongCredentials.lookUp(request, token, (session) =>
      this.sessions.authenticate(session),
    );
    if (!caller) throw this.wrongCredentials.count(request);
    return caller;
  }

  /** Reads the body, since it is the credential. @throws 400, 401, 403, 415, 429 */
  async byLink(request: Request): Promise<Caller> {
    // A larger body, or one of unknown length, is no link, and is not read before there is a credential.
    const length = Number(request.headers['content-length']);
    if (!request.is('application/json') || !(length <= MAX_LINK_BYTES)) throw this.noCredential(request);
    // A compressed body of a kilobyte can become a megabyte.
    assertNotEncoded(request);
    this.wrongCredentials.assertNoGuess(request);
    request.body = await readObject(request, request.res as Response);
    const { token } = request.body as { token?: unknown };
    if (typeof token !== 'string') throw this.noCredential(request);
    const caller = await this.sessions.authenticateLink(token);
    if (!caller) throw this.wrongCredentials.count(request);
    return caller;
  }

  /** Without a credential, a request counts as one to a public route. */
  private noCredential(request: Request): ApiError {
    return this.publicRequests.countRequest(request) ?? noCredential();
  }
}
