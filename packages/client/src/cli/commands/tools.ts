import type { Command } from 'commander';
import { BODY_FIELDS, QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import {
  addCommand,
  addListCommand,
  isJson,
  printCreated,
  printDone,
  printList,
  printObject,
} from '../command';
import { UsageError } from '../errors';
import { addFields, addVariable, assertGiven, parseJson, readBody, readQuery } from '../flags';
import { readJsonObject } from '../input';
import { addKeyFlag, readKey } from '../key-flag';

type Tool = Schemas['ToolDto'];
type Fields = Partial<Schemas['WriteToolDto']>;

const COLUMNS = {
  id: ({ tool_id }: Tool) => tool_id,
  name: ({ name }: Tool) => name,
  kind: ({ kind }: Tool) => kind,
  effect: ({ effect }: Tool) => effect,
  mode: ({ mode }: Tool) => mode,
  url: ({ url }: Tool) => url,
  updated: ({ updated_at }: Tool) => updated_at,
};

const DISCOVERED_COLUMNS = {
  name: ({ name }: Schemas['DiscoveredToolDto']) => name,
  allowed: ({ allowed }: Schemas['DiscoveredToolDto']) => (allowed ? 'yes' : 'no'),
  changed: ({ changed }: Schemas['DiscoveredToolDto']) => (changed ? 'yes' : 'no'),
  description: ({ description }: Schemas['DiscoveredToolDto']) => description,
};

const FILE_FLAG = [
  '--file <file>',
  'a JSON file with the fields, such as the output of tools get --json; flags override it',
] as const;

export function addToolCommands(program: Command, cli: Cli): void {
  const tools = program.command('tools').description('the tools that agents may use');

  const list = addListCommand(tools, 'list', 'list tools, by name');
  addFields(list, QUERY_FIELDS.listTools);
  list.action(async () => {
    const filter = readQuery(list, 'listTools');
    await printList(cli, list, (await cli.connect()).tools.list(filter), COLUMNS);
  });

  const get = addCommand(tools, 'get <tool>', 'show a tool');
  get.action(async (id: string) => printObject(cli, get, await (await cli.connect()).tools.get(id)));

  const create = addCommand(tools, 'create', 'create a tool and print its id').option(...FILE_FLAG);
  addKeyFlag(create);
  addFields(create, BODY_FIELDS.WriteToolDto);
  create.action(async () => {
    const fields = { ...(await readFile(cli, create)), ...readBody(create, 'WriteToolDto') };
    assertGiven(fields, { name: '--name', description: '--description', url: '--url' });
    const created = await (await cli.connect()).tools.create(fields, readKey(create));
    await printCreated(cli, create, created.tool_id, created);
  });

  const update = addCommand(
    tools,
    'update <tool>',
    'change the fields of flags, or replace the tool by a file',
  ).option(...FILE_FLAG);
  addFields(update, BODY_FIELDS.WriteToolDto);
  update.action(async (id: string) => {
    const file = await readFile(cli, update);
    const flags = readBody(update, 'WriteToolDto');
    if (!file && Object.keys(flags).length === 0)
      throw new UsageError('Give the fields to change by flags, or the whole tool with --file.');
    const parley = await cli.connect();
    const fields = { ...(file ?? toFields({ ...(await parley.tools.get(id)) })), ...flags };
    assertGiven(fields, { name: '--name', description: '--description', url: '--url' });
    const updated = await parley.tools.update(id, fields);
    await printDone(cli, update, `Updated the tool ${updated.name}.`, updated);
  });

  const remove = addCommand(tools, 'delete <tool>', 'delete a tool with its secrets');
  remove.action(async (id: string) => {
    const parley = await cli.connect();
    // As with agents, a lost answer must not make a tool that never was a deleted one.
    await parley.tools.get(id);
    await parley.tools.delete(id);
    await printDone(cli, remove, 'Deleted the tool.', { tool_id: id, deleted: true });
  });

  const test = addCommand(tools, 'test <tool>', 'send the request of a tool once and show what came back')
    .option('--arguments <json>', 'the arguments, by its parameters', parseJson, {})
    .option('--var <name=value>', 'a variable of a call; may be repeated', addVariable)
    .option('--tool <name>', 'of the kind mcp: the name of one of its tools');
  test.action(async (id: string) => {
    const { arguments: given, var: variables, tool } = test.opts<Given>();
    const result = await (await cli.connect()).tools.test(id, { arguments: given, variables, tool });
    await printObject(cli, test, result);
  });

  const discover = addCommand(tools, 'discover <tool>', 'list what the server of a tool has now');
  discover.action(async (id: string) => {
    const found = await (await cli.connect()).tools.discover(id);
    if (!isJson(discover)) return cli.output.table(DISCOVERED_COLUMNS, found);
    for (const tool of found) await cli.output.json(tool);
  });
}

interface Given {
  arguments: Record<string, unknown>;
  var?: Record<string, string>;
  tool?: string;
}

/** The fields of the file, which only the server checks. @returns undefined if there is none */
async function readFile(cli: Cli, command: Command): Promise<Fields | undefined> {
  const file = command.getOptionValue('file') as string | undefined;
  if (file === undefined) return undefined;
  const given = await readJsonObject(file, cli.surroundings.stdin);
  return 'tool_id' in given ? toFields(given) : given;
}

/** The fields of a shown tool that may be written. Its secrets are names only, and stay if they are left out. */
function toFields(tool: Record<string, unknown>): Fields {
  const { tool_id: _, created_at: __, updated_at: ___, secrets: ____, discovered: _____, ...shown } = tool;
  const others = shown.kind === 'mcp' ? ['parameters', 'method'] : ['tools'];
  return Object.fromEntries(
    Object.entries(shown).filter(([name, value]) => value !== null && !others.includes(name)),
  );
}
