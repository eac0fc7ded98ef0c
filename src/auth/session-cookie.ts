import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';

const NAME = 'parley_session';

/** The prefix makes browsers refuse the cookie from another host or without TLS (RFC 6265bis, 4.1.3). */
const nameFor = ({ secure }: Request) => (secure ? `__Host-${NAME}` : NAME);

/** The token of the request's session, if it has one. */
export function readSessionCookie(request: Request): string | undefined {
  const { cookie } = request.headers;
  return cookie?.includes(NAME) ? parseCookie(cookie)[nameFor(request)] : undefined;
}

const attributesFor = ({ secure }: Request) =>
  ({ httpOnly: true, sameSite: 'strict', secure, path: '/' }) as const;

export function setSessionCookie(request: Request, session: { token: string; expiresAt: Date }): void {
  const attributes = { ...attributesFor(request), expires: session.expiresAt };
  (request.res as Response).cookie(nameFor(request), session.token, attributes);
}

export function clearSessionCookie(request: Request): void {
  (request.res as Response).clearCookie(nameFor(request), attributesFor(request));
}
