import { Command } from 'commander';
import { version } from './version';
import type { Cli } from './cli';
import { addAgentCommands } from './commands/agents';
import { addCallCommand } from './commands/call';
import { addCallsCommands } from './commands/calls';
import { addCampaignCommands } from './commands/campaigns';
import { addCodeCommands } from './commands/code';
import { addCompletionCommand } from './commands/completion';
import { addDncCommands } from './commands/dnc';
import { addImportCommand } from './commands/import';
import { addKbCommands } from './commands/kb';
import { addKeepingCommands } from './commands/keeping';
import { addLoginCommand } from './commands/login';
import { addNumbersCommands } from './commands/numbers';
import { addPeopleCommands } from './commands/people';
import { addRehearseCommand } from './commands/rehearse';
import { addStatsCommand } from './commands/stats';
import { addToolCommands } from './commands/tools';
import { addWebhookCommands } from './commands/webhooks';

const ENVIRONMENT = `
PARLEY_URL and PARLEY_API_KEY name the server and the key; without them, those that parley login kept are used.
PARLEY_TIMEOUT_SECONDS is the time limit of each attempt of a request (default: 30, for files 600).
Exit status: 0 done, 1 refused or failed, 2 used wrongly.`;

/** The commands of parley. */
export function createProgram(cli: Cli): Command {
  const { stdout, stderr } = cli.surroundings;
  const program = new Command('parley')
    .description('The command line of Parley, a control plane for voice agents')
    .version(version)
    .addHelpText('after', ENVIRONMENT)
    // A command may have a flag --version of its own.
    .enablePositionalOptions()
    // Commands inherit both.
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  addAgentCommands(program, cli);
  addCallCommand(program, cli);
  addCallsCommands(program, cli);
  addRehearseCommand(program, cli);
  addCampaignCommands(program, cli);
  addKbCommands(program, cli);
  addToolCommands(program, cli);
  addCodeCommands(program, cli);
  addImportCommand(program, cli);
  addNumbersCommands(program, cli);
  addDncCommands(program, cli);
  addWebhookCommands(program, cli);
  addPeopleCommands(program, cli);
  addStatsCommand(program, cli);
  addKeepingCommands(program, cli);
  addLoginCommand(program, cli);
  addCompletionCommand(program, cli);
  return program;
}
