import { Argument, type Command } from 'commander';
import type { Cli } from '../cli';
import { addCommand, isJson } from '../command';
import { CommandFailed } from '../errors';
import { importAgents, PLATFORMS } from '../import/import-agents';
import { PLATFORM_NAMES, type PlatformName } from '../import/platform';
import type { Report } from '../import/source';
import { writeFiles } from '../import/write-files';
import { readText } from '../input';

type Understood = Report['understood'][number];
type Refused = Report['not_understood'][number];

const UNDERSTOOD_COLUMNS = { understood: ({ path }: Understood) => path, to: ({ to }: Understood) => to };
const REFUSED_COLUMNS = { 'not understood': ({ path }: Refused) => path, why: ({ why }: Refused) => why };

/** The largest file. An agent of Parley is smaller than half of it. */
const MAX_BYTES = 2 * 1_024 * 1_024;

/** The longest tables. Damaged sources have more than anybody reads. */
const TABLE_ROWS = 1_000;

interface Given {
  out: string;
  strict?: true;
}

export function addImportCommand(program: Command, cli: Cli): void {
  const command = addCommand(program, 'import', 'write the files of agents from those of another platform')
    .addArgument(new Argument('<platform>', 'where the agents come from').choices(PLATFORM_NAMES))
    .argument('<files...>', 'a JSON file for each agent, as the API of the platform answers it')
    .requiredOption('--out <dir>', 'the folder for agents/ and tools/')
    .option('--strict', 'write nothing and exit with 1 if anything is not understood');
  command.action(async (name: PlatformName, paths: string[]) => {
    const { out, strict } = command.opts<Given>();
    const sources: { path: string; text: string }[] = [];
    for (const path of paths)
      sources.push({ path, text: await readText(path, cli.surroundings.stdin, MAX_BYTES) });
    const { reports, files, environment } = importAgents(PLATFORMS[name], sources);
    for (const [at, report] of reports.entries()) {
      if (isJson(command)) await cli.output.json(report);
      else await printReport(cli, report, paths[at] ?? '');
    }
    const rest = reports.reduce((sum, report) => sum + report.not_understood.length, 0);
    if (strict && rest > 0)
      throw new CommandFailed(`Nothing was written: ${rest} entries were not understood.`);
    const written = await writeFiles(out, files);
    if (isJson(command)) return;
    const others = written.length < files.size ? ` The others of ${files.size} were there already.` : '';
    await cli.output.line(`Wrote ${written.length} files into ${out}.${others}`);
    if (environment.length > 0)
      await cli.output.line(`Secrets are in no file. Set them for parley apply: ${environment.join(', ')}`);
  });
}

async function printReport({ output }: Cli, report: Report, path: string): Promise<void> {
  const { agent, understood, not_understood: refused } = report;
  await output.line(`${path}: the agent ${agent}`);
  if (understood.length > 0) await output.table(UNDERSTOOD_COLUMNS, understood.slice(0, TABLE_ROWS));
  await output.line('');
  if (refused.length > 0) await output.table(REFUSED_COLUMNS, refused.slice(0, TABLE_ROWS));
  await output.line('');
  if (Math.max(understood.length, refused.length) > TABLE_ROWS)
    output.note(`There are more than ${TABLE_ROWS}. --json shows all.`);
}
