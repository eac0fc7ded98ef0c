import { parseArgs } from 'node:util';
import { runSuite } from '../test/support/suite-command';
import { createTemplate } from '../test/support/workspaces';
import type { Options } from './benchmark';
import { BENCHMARKS } from './benchmarks';
import { printMachine } from './report';
import { startServices } from './services';

const WORKSPACES = 100;
const DEFAULTS: Options = { seconds: 5, rounds: 3, minutes: 60, rate: 0.7, short: false };

const USAGE = `Usage: npm run bench [-- NAME ...] [--seconds N] [--rounds N] [--minutes N] [--rate R] [--short]

${BENCHMARKS.map(({ name, title, onRequest }) => `  ${name.padEnd(14)} ${title}${onRequest ? ' (only if named)' : ''}`).join('\n')}

  --seconds  how long one round of one server lasts (default: ${DEFAULTS.seconds})
  --rounds   (default: ${DEFAULTS.rounds})
  --minutes  how long the soak lasts (default: ${DEFAULTS.minutes})
  --short    shows that tools and console-live work, with figures that mean nothing
  --rate     the share of the measured limit that the soak holds (default: ${DEFAULTS.rate})
`;

function readOptions() {
  const option = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: option,
      rounds: option,
      minutes: option,
      rate: option,
      short: { type: 'boolean', default: false },
    },
  });
  const { short, ...numbers } = values;
  const options = { ...DEFAULTS, short };
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
    options[name] = Number(numbers[name]);
    if (!(options[name] > 0)) throw new Error(`--${name} must be a number greater than 0.`);
  }
  const unknown = positionals.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}".`);
  const isChosen = ({ name, onRequest }: (typeof BENCHMARKS)[number]) =>
    positionals.length === 0 ? !onRequest : positionals.includes(name);
  return { options, benchmarks: BENCHMARKS.filter(isChosen) };
}

async function main({ options, benchmarks }: ReturnType<typeof readOptions>): Promise<void> {
  const services = await startServices();
  await printMachine(services);
  const workspaces = await createTemplate(WORKSPACES);
  for (const benchmark of benchmarks) {
    console.log(`\n${benchmark.name}: ${benchmark.title}`);
    await benchmark.run({ services, workspaces, options });
  }
  await services.stop();
}

runSuite(USAGE, readOptions, main);
