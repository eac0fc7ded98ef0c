import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Config } from '../../config';

/** A cookie that scripts cannot read, and that over TLS no other host can set. */
export class HostCookie {
  /** Browsers reach the installation over TLS only, also if its proxy does not say so. */
  private readonly isAlwaysSecure: boolean;

  constructor(
    private readonly name: string,
    private readonly sameSite: 'strict' | 'lax',
    { PUBLIC_URL = '' }: Pick<Config, 'PUBLIC_URL'>,
  ) {
    this.isAlwaysSecure = /^https:/i.test(PUBLIC_URL);
  }

  /** The value of the request's cookie, if it has one. */
  read(request: Request): string | undefined {
    const { cookie } = request.headers;
    return cookie?.includes(this.name) ? parseCookie(cookie)[this.nameFor(request)] : undefined;
  }

  set(request: Request, { token, expiresAt }: { token: string; expiresAt: Date }): void {
    const attributes = { ...this.attributesFor(request), expires: expiresAt };
    (request.res as Response).cookie(this.nameFor(request), token, attributes);
  }

  clear(request: Request): void {
    (request.res as Response).clearCookie(this.nameFor(request), this.attributesFor(request));
  }

  private isSecure(request: Request): boolean {
    return this.isAlwaysSecure || request.secure;
  }

  /** The prefix makes browsers refuse the cookie from another host or without TLS (RFC 6265bis, 4.1.3). */
  private nameFor(request: Request): string {
    return this.isSecure(request) ? `__Host-${this.name}` : this.name;
  }

  private attributesFor(request: Request) {
    return { httpOnly: true, sameSite: this.sameSite, secure: this.isSecure(request), path: '/' } as const;
  }
}
