import type { Command } from 'commander';
import { BODY_FIELDS, QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import {
  addCommand,
  addListCommand,
  parseCount,
  printCreated,
  printDone,
  printList,
  printObject,
} from '../command';
import { CommandFailed, UsageError } from '../errors';
import { findAgent } from '../find-agent';
import { addFields, assertGiven, FILTER_NAMES, readBody, readQuery } from '../flags';
import { readJsonObject } from '../input';
import { addKeyFlag, readKey } from '../key-flag';

const COLUMNS = {
  id: ({ id }: Schemas['AgentSummaryDto']) => id,
  name: ({ name }: Schemas['AgentSummaryDto']) => name,
  type: ({ type }: Schemas['AgentSummaryDto']) => type,
  number: ({ phoneNumber }: Schemas['AgentSummaryDto']) => phoneNumber,
  on: ({ status }: Schemas['AgentSummaryDto']) => (status ? 'yes' : 'no'),
  updated: ({ updatedAt }: Schemas['AgentSummaryDto']) => updatedAt,
};

const VERSION_COLUMNS = {
  version: ({ version }: Schemas['AgentVersionDto']) => version,
  created: ({ created_at }: Schemas['AgentVersionDto']) => created_at,
  by: ({ created_by }: Schemas['AgentVersionDto']) => created_by?.name ?? created_by?.kind,
  'restored from': ({ restored_from }: Schemas['AgentVersionDto']) => restored_from,
  calls: ({ calls }: Schemas['AgentVersionDto']) => calls,
};

/** The fields that `agents get` adds to those of an agent. Another workspace has its own ones. */
const ADDED_FIELDS: Record<
  Exclude<keyof Schemas['AgentDto'], keyof Schemas['CreateAgentDto']> | 'workspaceId',
  true
> = {
  _id: true,
  workspaceId: true,
  userId: true,
  DND: true,
  countryName: true,
  widget: true,
  createdAt: true,
  updatedAt: true,
};

const FILE_FLAG = [
  '--file <file>',
  'a JSON file with the fields, such as the output of agents get --json; flags override it',
] as const;

export function addAgentCommands(program: Command, cli: Cli): void {
  const agents = program.command('agents').description('the agents of the workspace');

  const list = addListCommand(agents, 'list', 'list agents');
  addFields(list, QUERY_FIELDS.listAgents, FILTER_NAMES);
  list.action(async () => {
    const filter = readQuery(list, 'listAgents', FILTER_NAMES);
    await printList(cli, list, (await cli.connect()).agents.list(filter), COLUMNS);
  });

  const get = addCommand(agents, 'get <agent>', 'show an agent');
  get.action(async (id: string) => printObject(cli, get, await (await cli.connect()).agents.get(id)));

  const create = addCommand(agents, 'create', 'create an agent and print its id').option(...FILE_FLAG);
  addKeyFlag(create);
  addFields(create, BODY_FIELDS.CreateAgentDto);
  create.action(async () => {
    const fields = await readAgent(cli, create, 'CreateAgentDto');
    assertGiven(fields, { type: '--type' });
    const created = await (await cli.connect()).agents.create(fields, readKey(create));
    await printCreated(cli, create, created._id, created);
  });

  const update = addCommand(agents, 'update <agent>', 'change an agent').option(...FILE_FLAG);
  addFields(update, BODY_FIELDS.UpdateAgentDto);
  update.action(async (id: string) => {
    const fields = await readAgent(cli, update, 'UpdateAgentDto');
    if (Object.keys(fields).length === 0)
      throw new UsageError('Give the fields to change, by flags or with --file.');
    const parley = await cli.connect();
    // The API demands the type with each change.
    const type = fields.type ?? (await parley.agents.get(id)).type;
    const updated = await parley.agents.update(id, { ...fields, type });
    await printDone(cli, update, `Updated the agent ${updated.name}.`, updated);
  });

  const remove = addCommand(agents, 'delete <agent>', 'delete an agent');
  remove.action(async (id: string) => {
    const parley = await cli.connect();
    // A deletion whose answer was lost cannot tell an agent that is gone from one that never was.
    await parley.agents.get(id);
    await parley.agents.delete(id);
    await printDone(cli, remove, 'Deleted the agent.', { agent_id: id, deleted: true });
  });

  const versions = addListCommand(
    agents,
    'versions <agent>',
    'list the versions of an agent, the newest first',
  );
  versions.action(async (id: string) => {
    await printList(cli, versions, (await cli.connect()).agents.versions(id), VERSION_COLUMNS);
  });

  const restore = addCommand(agents, 'restore <agent> <version>', 'make a new version from an old one');
  addKeyFlag(restore);
  restore.action(async (id: string, version: string) => {
    const restored = await (await cli.connect()).agents.restore(id, parseCount(version), readKey(restore));
    const sentence = `Version ${restored.version} is a copy of version ${version}.`;
    await printDone(cli, restore, sentence, restored);
  });

  const deployment = addCommand(agents, 'deployment <agent>', 'show which version of an agent calls use');
  deployment.action(async (agent: string) => {
    const parley = await cli.connect();
    await printObject(cli, deployment, await parley.agents.deployment(await findAgent(parley, agent)));
  });

  const publish = addCommand(
    agents,
    'publish <agent>',
    'let calls use the newest version of an agent, once its rehearsals have passed',
  ).option('--wait', 'wait for the rehearsals; exit with 1 if they fail');
  addFields(publish, BODY_FIELDS.PublishDto);
  publish.action(async (agent: string) => {
    const parley = await cli.connect();
    const id = await findAgent(parley, agent);
    const started = await parley.agents.publish(id, readBody(publish, 'PublishDto'));
    const isAwaited = publish.getOptionValue('wait') === true;
    const shown = isAwaited ? await parley.agents.waitForDeployment(id) : started;
    await printDone(cli, publish, describeDeployment(shown), shown);
    if (isAwaited && shown.status !== 'active')
      throw new CommandFailed('The newest version was not published.');
  });

  const rollBack = addCommand(
    agents,
    'rollback <agent>',
    'make a new version from the one that calls used before, and let calls use it at once',
  );
  addKeyFlag(rollBack);
  rollBack.action(async (agent: string) => {
    const parley = await cli.connect();
    const restored = await parley.agents.rollBack(await findAgent(parley, agent), readKey(rollBack));
    const sentence = `Calls use version ${restored.version}, a copy of version ${restored.restored_from}.`;
    await printDone(cli, rollBack, sentence, restored);
  });
}

function describeDeployment({
  status,
  version,
  error,
  run_id: runId,
}: Schemas['AgentDeploymentDto']): string {
  if (status === 'active') return `Calls use version ${version}.`;
  if (status === 'failed') return `Version ${version} failed: ${error ?? ''}`;
  if (status === 'draft') return `Version ${version} is a draft.`;
  return `Version ${version} ${runId ? `is rehearsed by the run ${runId}` : 'waits for its rehearsals'}.`;
}

/** The fields of the file, which only the server checks, and of the flags, which count before the file's. */
async function readAgent<Name extends 'CreateAgentDto' | 'UpdateAgentDto'>(
  cli: Cli,
  command: Command,
  name: Name,
): Promise<Partial<Schemas[Name]>> {
  const file = command.getOptionValue('file') as string | undefined;
  const fromFile = file === undefined ? {} : await readJsonObject(file, cli.surroundings.stdin);
  const own = '_id' in fromFile ? dropAddedFields(fromFile) : fromFile;
  return merge(own, readBody(command, name)) as Partial<Schemas[Name]>;
}

const dropAddedFields = (agent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(agent).filter(([name]) => !Object.hasOwn(ADDED_FIELDS, name)));

function merge(base: Record<string, unknown>, changes: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
