import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config, getPublicUrl } from '../../config';
import { foreignHost, foreignOrigin } from './mcp.errors';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a host is that of `publicUrl`, with its port or without one, as some proxies send it, or is a local name. A
 * local name may have any port, because tunnels and containers choose others.
 * @param host the whole value of the header: RFC 9110 allows a name and a port
 */
export function isOwnHost(host: string, publicUrl: URL): boolean {
  const [, name, port] = /^(\[[\da-f:]+\]|[^:[\]@/?#\\]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  const hostname = name?.toLowerCase();
  if (hostname === undefined) return false;
  if (LOCAL_HOSTS.includes(hostname)) return true;
  return hostname === publicUrl.hostname && (port === undefined || port === getPort(publicUrl));
}

const getPort = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');

/**
 * Refuses requests that a page of another site may have caused: by its origin, and by the host, which a name that was
 * bound to this address anew would show. Assistants send no origin.
 */
@Injectable()
export class OwnAddressGuard implements CanActivate {
  private readonly publicUrl: URL;

  constructor(@Inject(CONFIG) config: Config) {
    this.publicUrl = new URL(getPublicUrl(config));
  }

  /** @throws 403 */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    // Under HTTP/1.0, there may be no host.
    const host: string = request.host ?? '';
    if (!isOwnHost(host, this.publicUrl)) throw foreignHost(host);
    const { origin } = request.headers;
    const own = [this.publicUrl.origin, `${request.protocol}://${request.host}`];
    if (origin !== undefined && !own.includes(origin.toLowerCase())) throw foreignOrigin();
    return true;
  }
}
