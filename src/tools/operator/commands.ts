import { QUOTA_NAMES } from '../../accounts/workspaces/quotas';
import type { Command } from './command';
import { consoleCommands } from './console.commands';
import { credentialCommands } from './credential.commands';
import { demoCommands } from './demo.commands';
import { migrateCommand } from './migrate.command';
import { personCommands } from './person.commands';
import { phoneNumberCommands } from './phone-number.commands';
import { quotaCommands } from './quota.commands';
import { rollupCommands } from './rollup.commands';
import { verifyCommand } from './verify.command';
import { workspaceCommands } from './workspace.commands';

/** The commands by their names: a noun and a verb, or a verb. */
export const commands: Record<string, Command> = {
  ...workspaceCommands,
  ...credentialCommands,
  ...consoleCommands,
  ...personCommands,
  ...quotaCommands,
  ...phoneNumberCommands,
  ...rollupCommands,
  ...verifyCommand,
  ...migrateCommand,
  ...demoCommands,
};

const help = Object.entries(commands)
  .map(([name, { usage, summary }]) => `  ${name} ${usage}\n      ${summary}\n`)
  .join('');

export const USAGE = `Usage: npm run --silent operator -- COMMAND [--json]

${help}
Quotas: ${QUOTA_NAMES.join(', ')}.

--json prints exactly one JSON object.
`;
