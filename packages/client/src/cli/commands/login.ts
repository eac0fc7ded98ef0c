import type { Command } from 'commander';
import { text } from 'node:stream/consumers';
import type { Cli } from '../cli';
import { addCommand, printDone } from '../command';
import { configPath, writeConfig } from '../config-file';
import { connect, DEFAULT_URL, readTimeLimit } from '../connect';
import { CommandFailed, UsageError } from '../errors';
import { askSecret } from '../ask-secret';

export function addLoginCommand(program: Command, cli: Cli): void {
  const login = addCommand(
    program,
    'login',
    'keep an API key from the standard input, after trying it',
  ).option('--url <url>', `the address of the server (default: PARLEY_URL, else ${DEFAULT_URL})`);
  login.action(async () => {
    const { stdin, env } = cli.surroundings;
    const flag = login.getOptionValue('url') as string | undefined;
    const url = flag ?? (env.PARLEY_URL || DEFAULT_URL);
    const names = { url: flag === undefined ? 'PARLEY_URL' : '--url', apiKey: 'The API key' };
    const given = stdin.isTTY ? await askSecret('API key: ', cli.surroundings) : await text(stdin);
    const apiKey = given.trim();
    if (apiKey === '') throw new UsageError('There is no API key on the standard input.');
    // Every credential may list calls, also one with a scope.
    await connect({ url, apiKey }, readTimeLimit(env), names).calls.list({ limit: 1 }).page(1);
    await keep({ url, apiKey });
    await printDone(cli, login, `The key is kept in ${configPath()}.`, { url, config: configPath() });
  });
}

async function keep(config: Parameters<typeof writeConfig>[0]): Promise<void> {
  await writeConfig(config).catch((error: Error) => {
    throw new CommandFailed(`The key cannot be kept: ${error.message}`);
  });
}
