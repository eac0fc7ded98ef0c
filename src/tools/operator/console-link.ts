import { SessionsService } from '../../accounts/auth/sessions.service';
import { type Config, getPublicUrl } from '../../config';
import { audited } from './audited';
import type { Services } from './command';

export interface ConsoleLink {
  url: string;
  expiresAt: Date;
}

/**
 * Creates a link to the page that begins a session. Its token follows a `#`, so that no server and no log gets it.
 * @param name the person who gets it; missing: the audit says that it has none
 * @throws 404
 */
export async function createConsoleLink(
  workspaceId: string,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  services: Services,
  name?: string,
): Promise<ConsoleLink> {
  const { token, expiresAt } = await audited(
    'session.link_created',
    (id: string) => ({ workspaceId, id, name }),
    () => services(SessionsService).createLink(workspaceId, name),
  );
  return { url: `${getPublicUrl(config)}/login#token=${token}`, expiresAt };
}
