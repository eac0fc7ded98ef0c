import type { Command } from 'commander';
import { QUERY_FIELDS } from '../../generated/cli-options';
import type { Filter, Schemas } from '../../types';
import type { Download } from '../../download';
import type { Cli } from '../cli';
import { addCommand, addListCommand, isJson, printDone, printList, printObject } from '../command';
import { showLines } from '../controls';
import { writeDownload } from '../write-download';
import { addFields, addVariable, FILTER_NAMES, readQuery } from '../flags';
import { addWatchCommand } from './calls-watch';

type Call = Schemas['CallDto'];

const COLUMNS = {
  id: ({ call_id }: Call) => call_id,
  created: ({ created_at }: Call) => created_at,
  status: ({ status }: Call) => status,
  reason: ({ disconnect_reason }: Call) => disconnect_reason,
  direction: ({ direction }: Call) => direction,
  to: ({ to_number }: Call) => to_number,
  from: ({ from_number }: Call) => from_number,
  agent: ({ agent }: Call) => agent.name,
  seconds: ({ duration_sec }: Call) => duration_sec,
  credits: ({ charge }: Call) => charge,
};

const TIMELINE_COLUMNS = {
  at: ({ at }: Schemas['TimelineEntryDto']) => at,
  source: ({ source }: Schemas['TimelineEntryDto']) => source,
  text: ({ text }: Schemas['TimelineEntryDto']) => text,
};

const TOOL_COLUMNS = {
  asked: ({ asked_at }: Schemas['ListedInvocationDto']) => asked_at,
  tool: ({ tool }: Schemas['ListedInvocationDto']) => tool,
  state: ({ state }: Schemas['ListedInvocationDto']) => state,
  arguments: ({ arguments: given }: Schemas['ListedInvocationDto']) => JSON.stringify(given),
  result: ({ result, error }: Schemas['ListedInvocationDto']) => error ?? JSON.stringify(result),
};

/** The names of these filters are those of an analysis. */
const addFindings = (command: Command): Command =>
  command
    .option('--field <name=value>', 'the value of a field of the analysis; may be repeated', addVariable)
    .option(
      '--criterion <name=answer>',
      'the answer to a criterion of the analysis (pass, fail, unclear); may be repeated',
      addVariable,
    );

const readFilter = <Name extends 'listCalls' | 'exportCalls'>(command: Command, name: Name): Filter<Name> => {
  const { field, criterion } = command.opts<Pick<Filter<'listCalls'>, 'field' | 'criterion'>>();
  return { ...readQuery(command, name, FILTER_NAMES), field, criterion } as Filter<Name>;
};

export function addCallsCommands(program: Command, cli: Cli): void {
  const calls = program.command('calls').description('the calls of all agents');

  const list = addListCommand(calls, 'list', 'list calls, the newest first');
  addFields(addFindings(list), QUERY_FIELDS.listCalls, FILTER_NAMES);
  list.action(async () => {
    const filter = readFilter(list, 'listCalls');
    await printList(cli, list, (await cli.connect()).calls.list(filter), COLUMNS);
  });

  const get = addCommand(calls, 'get <call>', 'show a call');
  get.action(async (id: string) => printObject(cli, get, await (await cli.connect()).calls.get(id)));

  const timeline = addCommand(calls, 'timeline <call>', 'show what happened in a call, in order');
  timeline.action(async (id: string) => {
    const entries = await (await cli.connect()).calls.timeline(id);
    if (!isJson(timeline)) return cli.output.table(TIMELINE_COLUMNS, entries);
    for (const entry of entries) await cli.output.json(entry);
  });

  const transcript = addCommand(calls, 'transcript <call>', 'show what was said in a call');
  transcript.action(async (id: string) => {
    const said = await (await cli.connect()).calls.transcript(id);
    if (isJson(transcript)) return cli.output.json(said);
    for (const { speaker, text } of said.turns) await cli.output.line(`${speaker}: ${text}`);
    if (!said.complete) cli.output.note('The transcript is not complete.');
  });

  const tools = addCommand(calls, 'tools <call>', 'show what the agent asked tools for in a call, in order');
  tools.action(async (id: string) => {
    const invocations = await (await cli.connect()).toolInvocations.ofCall(id);
    if (!isJson(tools)) return cli.output.table(TOOL_COLUMNS, invocations);
    for (const invocation of invocations) await cli.output.json(invocation);
  });

  const hangup = addCommand(calls, 'hangup <call>', 'hang up a call');
  hangup.action(async (id: string) => {
    const answer = await (await cli.connect()).calls.hangup(id);
    await printDone(cli, hangup, `The hang-up is ${answer.hangup}; the call is ${answer.status}.`, answer);
  });

  // Its JSON has a format of its own.
  const exporting = calls
    .command('export')
    .description('write calls as CSV, or as a JSON object a line')
    .option('--json', 'the same as --format jsonl')
    .option('--output <file>', 'the file; default: the standard output');
  addFields(addFindings(exporting), QUERY_FIELDS.exportCalls, FILTER_NAMES);
  exporting.action(async () => {
    const filter = readFilter(exporting, 'exportCalls');
    const format = filter.format ?? (isJson(exporting) ? 'jsonl' : 'csv');
    const download = await (await cli.connect()).calls.export({ ...filter, format });
    const file = exporting.getOptionValue('output') as string | undefined;
    await (file === undefined ? writeOut(cli, download) : writeDownload(file, download));
  });

  addWatchCommand(calls, cli);
}

/** A terminal gets no control characters; a file or a program gets the bytes as they are. */
async function writeOut({ output, surroundings }: Cli, download: Download): Promise<void> {
  const parts = surroundings.stdout.isTTY ? showLines(download) : download;
  for await (const part of parts) await output.write(part);
}
