import { MAX_LINK_NAME, SessionsService } from '../../accounts/auth/sessions.service';
import { loadConfig } from '../../config';
import { audited } from './audited';
import { command, nameFrom, required, text } from './command';
import { createConsoleLink } from './console-link';

export const consoleCommands = {
  'console link': command({
    usage: '--workspace ID [--name "ADA LOVELACE"]',
    summary:
      'Creates a link that signs a browser in, once and within 15 minutes. What is done with it is shown under the name.',
    options: { workspace: text, name: text },
    run: (values, services) =>
      createConsoleLink(
        required(values.workspace, 'workspace'),
        loadConfig(),
        services,
        nameFrom(values.name, MAX_LINK_NAME),
      ),
  }),

  'console revoke': command({
    usage: '--workspace ID --link ID',
    summary:
      'Ends a link, the session that it began, and its keys and tokens. The audit has the id of a link.',
    options: { workspace: text, link: text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const linkId = required(values.link, 'link');
      const ended = await audited('session.link_revoked', { workspaceId, id: linkId }, () =>
        services(SessionsService).revokeLink(workspaceId, linkId),
      );
      return { linkId, ...ended };
    },
  }),
};
