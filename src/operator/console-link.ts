import { SessionsService } from '../auth/sessions.service';
import { type Config, publicUrlOf } from '../config';
import { audited } from './audited';
import type { Services } from './command';

export interface ConsoleLink {
  url: string;
  expiresAt: Date;
}

/**
 * A link to the page that begins a session. Its token follows a `#`, so that no server and no log gets it.
 * @throws 404
 */
export async function createConsoleLink(
  workspaceId: string,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  services: Services,
): Promise<ConsoleLink> {
  const { token, expiresAt } = await audited(
    'session.link_created',
    (id: string) => ({ workspaceId, id }),
    () => services(SessionsService).createLink(workspaceId),
  );
  return { url: `${publicUrlOf(config)}/login#token=${token}`, expiresAt };
}
