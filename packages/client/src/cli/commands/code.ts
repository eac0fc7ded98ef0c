import type { Command } from 'commander';
import { join } from 'node:path';
import type { Parley } from '../../parley';
import { apply } from '../code/apply';
import { Environment } from '../code/environment';
import { assertFolder } from '../code/files';
import { compare, type Comparison, type Planned } from '../code/plan';
import { pull } from '../code/pull';
import { readState, type State } from '../code/state';
import { toKey } from '../code/resource';
import type { Cli } from '../cli';
import { addCommand, isJson } from '../command';
import { CommandFailed } from '../errors';

const CHANGE_COLUMNS = {
  change: ({ action }: Planned) => action,
  resource: toKey,
  fields: ({ fields }: Planned) => fields.join(', '),
};

interface Compared {
  parley: Parley;
  state: State;
  environment: Environment;
  comparison: Comparison;
}

/** The commands that keep agents, rehearsals and tools in the files of a folder. */
export function addCodeCommands(program: Command, cli: Cli): void {
  const add = (name: string, description: string) =>
    addCommand(program, `${name} <dir>`, description).option(
      '--lock <file>',
      'what the files were made from (default: parley.lock.json in the folder)',
    );

  const pulling = add('pull', 'write agents, rehearsals and tools into the files of a folder').option(
    '--overwrite',
    'also where files were edited, which is lost',
  );
  pulling.action(async (dir: string) => {
    const state = await read(cli, pulling, dir, await cli.connect());
    const overwrite = pulling.getOptionValue('overwrite') === true;
    const { notes, ...pulled } = await pull(state, { overwrite });
    for (const note of notes) cli.output.note(note);
    if (isJson(pulling)) return cli.output.json(pulled);
    for (const path of pulled.written) await cli.output.line(`wrote ${path}`);
    for (const path of pulled.removed) await cli.output.line(`removed ${path}`);
    await cli.output.line(
      `${pulled.written.length} files written, ${pulled.removed.length} removed, the others are as the workspace is`,
    );
  });

  const planning = add(
    'plan',
    'show what apply would change; exit with 1 if something has changed since its file was made',
  ).option('--prune', 'also what is deleted, because its file is gone');
  planning.action(async (dir: string) => {
    const { state, comparison } = await compareFiles(cli, planning, dir);
    await printPlan(cli, planning, comparison);
    assertNoDrift(state, comparison);
  });

  const applying = add('apply', 'make agents, rehearsals and tools as the files of a folder are').option(
    '--prune',
    'also delete those whose files are gone',
  );
  applying.option(
    '--wait',
    'until the rehearsals of gated agents have decided; exit with 1 if one is not published',
  );
  applying.action(async (dir: string) => {
    const { parley, state, environment, comparison } = await compareFiles(cli, applying, dir);
    const { drift, orphans } = comparison.plan;
    if (drift.length === 0) await apply(parley, state, environment, comparison);
    else if (isJson(applying)) await cli.output.json({ changes: [], drift, orphans });
    assertNoDrift(state, comparison);
    await printPlan(cli, applying, comparison);
    if (applying.getOptionValue('wait') === true) await assertPublished(parley, state);
  });
}

async function compareFiles(cli: Cli, command: Command, dir: string): Promise<Compared> {
  await assertFolder(dir);
  const parley = await cli.connect();
  const state = await read(cli, command, dir, parley);
  const environment = new Environment(cli.surroundings.env);
  const prune = command.getOptionValue('prune') === true;
  const comparison = await compare(parley, state, environment, { prune });
  return { parley, state, environment, comparison };
}

function read({ surroundings }: Cli, command: Command, dir: string, parley: Parley): Promise<State> {
  const lockFile = (command.getOptionValue('lock') as string | undefined) ?? join(dir, 'parley.lock.json');
  return readState(parley, { dir, lockFile, stdin: surroundings.stdin });
}

async function printPlan({ output }: Cli, command: Command, { plan }: Comparison): Promise<void> {
  if (isJson(command)) return output.json(plan);
  if (plan.changes.length > 0) await output.table(CHANGE_COLUMNS, plan.changes);
  else await output.line('No changes');
  const [gone, others] = [true, false].map((wasInFile) =>
    plan.orphans.filter(({ was_in_file }) => was_in_file === wasInFile).map(toKey),
  ) as [string[], string[]];
  const deleted = new Set(plan.changes.filter(({ action }) => action === 'delete').map(toKey));
  const kept = gone.filter((key) => !deleted.has(key));
  if (kept.length > 0) output.note(`Their files are gone, and --prune deletes them: ${kept.join(', ')}`);
  if (others.length > 0) output.note(`In no file; parley pull writes them: ${others.join(', ')}`);
}

/** Waits for the agents of the files. @throws CommandFailed */
async function assertPublished(parley: Parley, { tracked }: State): Promise<void> {
  const agents: { id: string; slug: string }[] = [];
  for await (const agent of parley.code.list({ kind: 'agent' }))
    if (tracked.get(toKey(agent))?.filed) agents.push(agent);
  const failures: string[] = [];
  for (const { id, slug } of agents) {
    const { status, version, error } = await parley.agents.waitForDeployment(id);
    if (status !== 'active') failures.push(`  ${slug}, version ${version}: ${error ?? `it is a ${status}`}`);
  }
  if (failures.length > 0) throw new CommandFailed('Some agents were not published:', failures);
}

/** @throws CommandFailed */
function assertNoDrift({ tracked }: State, { plan: { drift } }: Comparison): void {
  if (drift.length === 0) return;
  const lines = drift.map((each) => {
    const { updated_at: at, updated_by: by } = tracked.get(toKey(each))?.stored ?? {};
    if (each.revision === null) return `  ${toKey(each)} does not exist any more`;
    const since = each.base === null ? 'exists, and its file was not made from it' : 'has changed';
    return `  ${toKey(each)} ${since}${at ? ` (${at}${by ? ` by ${by.name}` : ''})` : ''}`;
  });
  throw new CommandFailed(
    'Nothing was done, because the workspace is not as it was when these files were made:',
    [...lines, 'Copy your edits, run parley pull --overwrite, and edit again.'],
  );
}
