import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { HostCookie } from './host-cookie';

/** The cookie of a session, which browsers send for pages of this server only. */
@Injectable()
export class SessionCookie extends HostCookie {
  constructor(@Inject(CONFIG) config: Config) {
    super('parley_session', 'strict', config);
  }
}
