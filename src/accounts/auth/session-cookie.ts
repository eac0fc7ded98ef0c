import { Inject, Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../config';

const NAME = 'parley_session';

/** Reads, sets and clears the cookie of a session. */
@Injectable()
export class SessionCookie {
  /** Browsers reach the installation over TLS only, also if its proxy does not say so. */
  private readonly isAlwaysSecure: boolean;

  constructor(@Inject(CONFIG) { PUBLIC_URL = '' }: Config) {
    this.isAlwaysSecure = /^https:/i.test(PUBLIC_URL);
  }

  /** The token of the request's session, if it has one. */
  read(request: Request): string | undefined {
    const { cookie } = request.headers;
    return cookie?.includes(NAME) ? parseCookie(cookie)[this.nameFor(request)] : undefined;
  }

  set(request: Request, session: { token: string; expiresAt: Date }): void {
    const attributes = { ...this.attributesFor(request), expires: session.expiresAt };
    (request.res as Response).cookie(this.nameFor(request), session.token, attributes);
  }

  clear(request: Request): void {
    (request.res as Response).clearCookie(this.nameFor(request), this.attributesFor(request));
  }

  private isSecure(request: Request): boolean {
    return this.isAlwaysSecure || request.secure;
  }

  /** The prefix makes browsers refuse the cookie from another host or without TLS (RFC 6265bis, 4.1.3). */
  private nameFor(request: Request): string {
    return this.isSecure(request) ? `__Host-${NAME}` : NAME;
  }

  private attributesFor(request: Request) {
    return { httpOnly: true, sameSite: 'strict', secure: this.isSecure(request), path: '/' } as const;
  }
}
