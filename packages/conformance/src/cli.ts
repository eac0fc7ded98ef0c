#!/usr/bin/env node
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from './errors';
import { toHtml } from './html';
import { Interruption } from './interruption';
import { toJunit } from './junit';
import { type Options, readOptions, USAGE } from './options';
import { type Report, createReport, type ScenarioReport, toText } from './report';
import { runScenario } from './run-scenario';

const EXIT = { kept: 0, broken: 1, couldNotRun: 2 };

const { name, version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as {
  name: string;
  version: string;
};

/**
 * Runs the scenarios, some at once, and keeps their order. It begins no further one after a failure of the kit.
 */
async function runAll(options: Options, interruption: Interruption): Promise<ScenarioReport[]> {
  const waiting = options.scenarios.map((scenario, index) => ({ scenario, index }));
  const reports: ScenarioReport[] = [];
  const errors: unknown[] = [];
  const take = async () => {
    for (let next = waiting.shift(); next && errors.length === 0; next = waiting.shift())
      reports[next.index] = await runScenario(next.scenario, options, interruption);
  };
  // The running scenarios end first, so that no process and no queue is left behind.
  const runs = Array.from({ length: options.parallel }, () =>
    take().catch((error: unknown) => errors.push(error)),
  );
  await Promise.all(runs);
  if (interruption.hasHappened) await interruption.happened;
  if (errors.length > 0) throw errors[0];
  return reports;
}

function write(out: string, report: Report): void {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, 'junit.xml'), toJunit(report));
  writeFileSync(join(out, 'report.html'), toHtml(report));
}

async function main(interruption: Interruption): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.helps) {
    console.log(USAGE);
    return EXIT.kept;
  }
  if (options.lists) {
    const rows = options.scenarios.map(({ id, suite, level, rule }) => ({ id, suite, level, rule }));
    if (options.printsJson) console.log(JSON.stringify(rows, null, 2));
    else for (const { id, suite, level, rule } of rows) console.log(`${id} (${suite}, ${level}): ${rule}`);
    return EXIT.kept;
  }
  const startedAt = new Date();
  const scenarios = await runAll(options, interruption);
  const report = createReport(`${name} ${version}`, options.command, startedAt, scenarios);
  if (options.out !== undefined) write(options.out, report);
  console.log(options.printsJson ? JSON.stringify(report, null, 2) : toText(report));
  return report.summary.unexpected > 0 ? EXIT.broken : EXIT.kept;
}

const interruption = new Interruption();
main(interruption).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (interruption.hasHappened) return interruption.end();
    console.error(error instanceof CannotRun ? error.message : error);
    process.exit(EXIT.couldNotRun);
  },
);
