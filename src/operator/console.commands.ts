import { loadConfig } from '../config';
import { command, required, text } from './command';
import { createConsoleLink } from './console-link';

export const consoleCommands = {
  'console link': command({
    usage: '--workspace ID',
    summary: 'Creates a link that signs a browser in, once and within 15 minutes.',
    options: { workspace: text },
    run: (values, services) =>
      createConsoleLink(required(values.workspace, 'workspace'), loadConfig(), services),
  }),
};
