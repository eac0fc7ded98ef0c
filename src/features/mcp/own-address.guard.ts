import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config, getPublicUrl } from '../../config';
import { foreignHost, foreignOrigin } from './mcp.errors';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

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
    const hostname = request.hostname.toLowerCase();
    if (hostname !== this.publicUrl.hostname && !LOCAL_HOSTS.includes(hostname)) throw foreignHost(hostname);
    const { origin } = request.headers;
    const own = [this.publicUrl.origin, `${request.protocol}://${request.host}`];
    if (origin !== undefined && !own.includes(origin.toLowerCase())) throw foreignOrigin();
    return true;
  }
}
