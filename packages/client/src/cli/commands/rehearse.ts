import type { Command } from 'commander';
import { ParleyError } from '../../errors';
import { BODY_FIELDS } from '../../generated/cli-options';
import type { Parley } from '../../parley';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, isJson, parseCount } from '../command';
import { CommandFailed, describeFailure, UsageError } from '../errors';
import { findAgent } from '../find-agent';
import { addFields, type BodyRenames, readBody } from '../flags';
import { readYamlObject } from '../input';
import { addKeyFlag, readKey } from '../key-flag';
import { writeDownload } from '../write-download';

type Run = Schemas['RehearsalRunDetailDto'];
type Result = Run['results'][number];

/** Rehearsals and fields come from files. */
const NO_FLAGS: BodyRenames<'StartRunDto'> = { rehearsals: null, fields: null, only: null };

const COLUMNS = {
  name: ({ name }: Result) => name,
  status: ({ status, flaky }: Result) => (flaky ? `${status} (flaky)` : status),
  change: ({ change }: Result) => change,
  why: ({ failed, error }: Result) =>
    error ?? failed.map(({ check, seen }) => `${check}: ${seen}`).join('; '),
};

export function addRehearseCommand(program: Command, cli: Cli): void {
  const rehearse = addCommand(
    program,
    'rehearse <agent-or-file>',
    'play rehearsals of an agent, or of a YAML file with them; exit with 1 if one is red or was not played',
  )
    .option('--agent <agent>', 'the agent for the rehearsals of a file (default: the one that it names)')
    .option('--only <name...>', 'play only the rehearsals with these names')
    .option('--fields <file>', 'play the agent with the fields of a YAML file, which are stored nowhere')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--timeout <seconds>', 'how long to wait', parseCount, 900);
  addKeyFlag(rehearse);
  addFields(rehearse, BODY_FIELDS.StartRunDto, NO_FLAGS);
  rehearse.action(async (target: string) => {
    const { against, ...given } = readBody(rehearse, 'StartRunDto', NO_FLAGS);
    const file = isFile(target) ? await readFile(target, cli) : undefined;
    const agent = nameAgent(rehearse, target, file);
    const parley = await cli.connect();
    const agentId = await findAgent(parley, agent);
    const body: Schemas['StartRunDto'] = {
      ...given,
      fields: await readFields(rehearse, cli),
      against: typeof against === 'string' && /^\d+$/.test(against) ? Number(against) : against,
      only: rehearse.getOptionValue('only') as string[] | undefined,
      rehearsals: file && readRehearsals(target, file),
    };
    const { run_id } = await parley.rehearsalRuns
      .start(agentId, body, readKey(rehearse))
      .catch((error: unknown) => {
        throw toUsageError(error);
      });
    // Somebody who stops waiting needs the id.
    cli.output.note(`Waiting for the run ${run_id}`);
    const timeoutMs = Number(rehearse.getOptionValue('timeout')) * 1_000;
    const run = await parley.rehearsalRuns.waitForEnd(run_id, { timeoutMs });
    await printRun(cli, rehearse, run);
    await writeJunit(parley, rehearse, run);
    if (run.status !== 'passed')
      throw new CommandFailed(`The run ${run.run_id} has the status ${run.status}.`);
  });
}

/** An agent is given by its id or its slug, which has no dot. */
const isFile = (target: string) => target === '-' || /[./\\]/.test(target);

async function readFields(command: Command, cli: Cli): Promise<Schemas['StartRunDto']['fields'] | undefined> {
  const path = command.getOptionValue('fields') as string | undefined;
  return path === undefined ? undefined : readFile(path, cli);
}

/** A status of 1 would say that a rehearsal is red. @throws UsageError */
async function readFile(path: string, { surroundings }: Cli): Promise<Record<string, unknown>> {
  try {
    return await readYamlObject(path, surroundings.stdin);
  } catch (error) {
    throw toUsageError(error);
  }
}

/** Options and files that are not valid are used wrongly. Other failures stay what they are. */
function toUsageError(error: unknown): unknown {
  if (error instanceof CommandFailed) return new UsageError(error.message, error.details);
  if (!(error instanceof ParleyError) || error.code !== 'VALIDATION_FAILED') return error;
  const [message = '', ...details] = describeFailure(error);
  return new UsageError(message, details);
}

/** A file without rehearsals would play those that are stored. @throws UsageError */
function readRehearsals(path: string, { rehearsals }: Record<string, unknown>) {
  if (Array.isArray(rehearsals)) return rehearsals as Schemas['WriteRehearsalDto'][];
  throw new UsageError(`${path} has no list of rehearsals.`);
}

/** @throws UsageError */
function nameAgent(command: Command, target: string, file: Record<string, unknown> | undefined): string {
  const agent: unknown = file ? (command.getOptionValue('agent') ?? file.agent) : target;
  if (typeof agent === 'string') return agent;
  throw new UsageError(`${target} names no agent. Give it with --agent.`);
}

async function writeJunit(parley: Parley, command: Command, { run_id }: Run): Promise<void> {
  const path = command.getOptionValue('junit') as string | undefined;
  if (path !== undefined) await writeDownload(path, await parley.rehearsalRuns.junit(run_id));
}

async function printRun({ output }: Cli, command: Command, run: Run): Promise<void> {
  if (isJson(command)) return output.json(run);
  await output.table(COLUMNS, run.results);
  const { passed, failed, error } = run.totals;
  await output.line(`${passed} passed, ${failed} failed, ${error} not played`);
}
