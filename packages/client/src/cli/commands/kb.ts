import { basename } from 'node:path';
import type { Command } from 'commander';
import { QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, addListCommand, isJson, parseCount, printCreated, printList } from '../command';
import { UsageError } from '../errors';
import { addFields, FILTER_NAMES, readQuery } from '../flags';
import { readInput } from '../input';
import { addKeyFlag, readKey } from '../key-flag';

type KnowledgeBase = Schemas['KnowledgeBaseDto'];

const COLUMNS = {
  id: ({ _id }: KnowledgeBase) => _id,
  name: ({ name }: KnowledgeBase) => name,
  type: ({ type }: KnowledgeBase) => type,
  sources: ({ sources }: KnowledgeBase) =>
    sources.map(({ name, status }) => `${name} (${status})`).join(', '),
  created: ({ createdAt }: KnowledgeBase) => createdAt,
};

const PASSAGE_COLUMNS = {
  score: ({ score }: Schemas['FoundPassageDto']) => score.toFixed(3),
  source: ({ source_name }: Schemas['FoundPassageDto']) => source_name,
  text: ({ text }: Schemas['FoundPassageDto']) => text,
};

export function addKbCommands(program: Command, cli: Cli): void {
  const kb = program.command('kb').description('knowledge bases');

  const list = addListCommand(kb, 'list', 'list knowledge bases');
  addFields(list, QUERY_FIELDS.listKnowledgeBases, FILTER_NAMES);
  list.action(async () => {
    const filter = readQuery(list, 'listKnowledgeBases', FILTER_NAMES);
    const bases = (await cli.connect()).knowledgeBases.list(filter);
    await printList(cli, list, bases, COLUMNS);
  });

  const add = addCommand(kb, 'add <file>', 'create a knowledge base from a file or a link and print its id')
    .option('--name <text>', 'its name; default: that of the file')
    .option('--description <text>', 'what it is for')
    .option('--agent <agent>', 'an agent that may search it');
  addKeyFlag(add);
  add.action(async (source: string) => {
    const { name, description, agent } = add.opts<{ name?: string; description?: string; agent?: string }>();
    const isLink = /^https?:\/\//.test(source);
    if (source === '-' && name === undefined)
      throw new UsageError('Give the knowledge base from the standard input a name, with --name.');
    const parley = await cli.connect();
    const content = isLink ? { baseUrl: source } : { file: await readInput(source, cli.surroundings.stdin) };
    const fields = { name: name ?? (isLink ? source : basename(source)), description, ...content };
    // A knowledge base for an agent that does not exist would have to be deleted again.
    if (agent !== undefined) await parley.agents.get(agent);
    const created = await parley.knowledgeBases.create(fields, { ...cli.uploadLimit(), ...readKey(add) });
    await printCreated(cli, add, created.kb_id, created);
    if (agent === undefined) return;
    try {
      await parley.knowledgeBases.assign(created.kb_id, { assistant_ids: [agent] });
    } catch (error) {
      cli.output.note('The knowledge base was created, but it is not assigned to the agent:');
      throw error;
    }
  });

  const search = addCommand(kb, 'search <kb> <query>', 'show the passages that fit a query best').option(
    '--limit <number>',
    'the number of passages',
    parseCount,
    5,
  );
  search.action(async (id: string, query: string) => {
    const limit = Number(search.getOptionValue('limit'));
    const passages = await (await cli.connect()).knowledgeBases.search(id, { query, limit });
    if (!isJson(search)) return cli.output.table(PASSAGE_COLUMNS, passages);
    for (const passage of passages) await cli.output.json(passage);
  });
}
