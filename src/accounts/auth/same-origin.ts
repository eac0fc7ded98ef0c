import type { Request } from 'express';
import { isSafeMethod } from '../../platform/http/safe-methods';

/**
 * Whether a request with a cookie may run. A browser sends the cookie by itself, so a request that changes something
 * must come from a page of this server, and have a header that only its own script can set.
 * @param publicUrl the address of the installation, whose proxy may hide the host that the browser has
 */
export function isFromOwnPage(request: Request, publicUrl: string | undefined): boolean {
  if (isSafeMethod(request.method)) return true;
  const { 'x-parley-session': header, 'sec-fetch-site': site, origin } = request.headers;
  if (header !== '1') return false;
  if (site !== undefined) return site === 'same-origin';
  const own = [`${request.protocol}://${request.host}`];
  if (publicUrl !== undefined) own.push(new URL(publicUrl).origin);
  return origin !== undefined && own.includes(origin);
}
