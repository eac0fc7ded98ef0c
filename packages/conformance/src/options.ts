import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CannotRun } from './errors';
import type { Scenario, Suite } from './scenario';
import { SCENARIOS } from './scenarios/all';

export const USAGE = `Usage: parley-conformance [options] -- COMMAND [ARGUMENTS]

Starts COMMAND once for each scenario, plays the Parley server on RabbitMQ, and says which rules of the runtime contract
the command keeps.

  --url AMQP                  RabbitMQ (RABBITMQ_URL, else amqp://guest:guest@127.0.0.1:5672)
  --suite SUITE               core, reports, incoming, tools, faults or all (all)
  --scenario ID               only this scenario; may be repeated
  --expected-failures FILE    ids of scenarios that fail, one a line; # begins a comment
  --strict                    a broken SHOULD is a failure
  --parallel N                scenarios at once (4)
  --out DIR                   writes report.json, junit.xml and report.html
  --json                      prints the report as JSON
  --list                      prints the scenarios

Exit code: 0 every MUST is kept, 1 a rule is broken or an expected failure passes, 2 the kit could not run.`;

const SUITES = ['core', 'reports', 'incoming', 'tools', 'faults', 'all'] as const;

export interface Options {
  url: string;
  scenarios: Scenario[];
  suite: Suite | 'all';
  expectedFailures: Set<string>;
  isStrict: boolean;
  parallel: number;
  out: string | undefined;
  printsJson: boolean;
  lists: boolean;
  helps: boolean;
  command: string[];
}

/** @throws CannotRun with the reason */
export function readOptions(args: string[]): Options {
  const separator = args.indexOf('--');
  const own = separator < 0 ? args : args.slice(0, separator);
  const command = separator < 0 ? [] : args.slice(separator + 1);
  const { values } = parsed(own);
  const suite = SUITES.find((each) => each === (values.suite ?? 'all'));
  if (!suite) throw new CannotRun(`There is no suite ${values.suite}; there are ${SUITES.join(', ')}.`);
  const parallel = Number(values.parallel ?? 4);
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new CannotRun(`--parallel takes a whole number from 1, not ${values.parallel}.`);
  const options: Options = {
    url: values.url ?? process.env['RABBITMQ_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672',
    scenarios: chosen(suite, values.scenario ?? []),
    suite,
    expectedFailures: readExpectedFailures(values['expected-failures']),
    isStrict: values.strict ?? false,
    parallel,
    out: values.out,
    printsJson: values.json ?? false,
    lists: values.list ?? false,
    helps: values.help ?? false,
    command,
  };
  if (!options.lists && !options.helps) {
    if (command.length === 0)
      throw new CannotRun('The command of the runtime is missing: it follows after --.');
    if (!/^amqp:\/\//.test(options.url))
      throw new CannotRun(
        '--url begins with amqp://. The kit reads what the runtime sends, so it needs no TLS.',
      );
  }
  return options;
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: 'string' },
        suite: { type: 'string' },
        scenario: { type: 'string', multiple: true },
        'expected-failures': { type: 'string' },
        strict: { type: 'boolean' },
        parallel: { type: 'string' },
        out: { type: 'string' },
        json: { type: 'boolean' },
        list: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new CannotRun((error as Error).message);
  }
}

function chosen(suite: string, ids: string[]): Scenario[] {
  for (const id of ids) assertScenario(id, '--scenario');
  return SCENARIOS.filter((scenario) =>
    ids.length > 0 ? ids.includes(scenario.id) : suite === 'all' || scenario.suite === suite,
  );
}

function readExpectedFailures(file: string | undefined): Set<string> {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CannotRun(`--expected-failures cannot be read: ${(error as Error).message}`);
  }
  const ids = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
  for (const id of ids) assertScenario(id, file);
  return new Set(ids);
}

function assertScenario(id: string, where: string): void {
  if (!SCENARIOS.some((scenario) => scenario.id === id))
    throw new CannotRun(`There is no scenario ${id}, which ${where} names; --list prints all.`);
}
