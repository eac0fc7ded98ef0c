import { Logger } from '@nestjs/common';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults';
import { MUTATIONS, SHORT_MUTATIONS } from './mutation-list';
import { startServices } from './services';
import { Suite } from './suite';
import { runSuite, selectNames } from '../../support/suite-command';
import { createTemplate } from '../../support/workspaces';

const TIMES = 20;
const WORKSPACES = 4;
/**
 * The numbers of recipients of the campaigns that are steered: in each round, and in the first round of each
 * fault.
 */
const RECIPIENTS = { each: 150, first: 2_000 };

const USAGE = `Usage: npm run test:faults [-- --short] [--times N] [--only NAME ...]

  --short   injects each fault once, and breaks ${SHORT_MUTATIONS.length} servers on purpose instead of all
  --times   injects each fault this many times (default: ${TIMES})
  --only    faults: ${Object.keys(FAULTS).join(', ')};
            servers broken on purpose: ${Object.keys(MUTATIONS).join(', ')}
`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      times: { type: 'string' },
      only: { type: 'string', multiple: true },
    },
  });
  const times = Number(values.times ?? (values.short ? 1 : TIMES));
  if (!Number.isInteger(times) || times < 1) throw new Error('--times must be a whole number of at least 1.');
  const first = values.short ? RECIPIENTS.each : RECIPIENTS.first;
  const all = [...Object.keys(FAULTS), ...Object.keys(MUTATIONS)];
  const short = [...Object.keys(FAULTS), ...SHORT_MUTATIONS];
  const names = values.only === undefined && values.short ? short : selectNames(values.only, all);
  return { times, first, names, notRun: all.filter((name) => !names.includes(name)) };
}

// The suite itself breaks the connections of the incoming calls.
Logger.overrideLogger(['error']);

/** Faults with a recovery in real time take long and are injected once. */
const isDue = (name: string, time: number) => name in FAULTS && (time === 1 || !FAULTS[name]?.inRealTime);

async function main({ times, first, names, notRun }: ReturnType<typeof readOptions>): Promise<void> {
  const services = await startServices(tmpdir());
  process.env.TEST_DATABASE_URL = services.postgres.url;
  const suite = new Suite(services, await createTemplate(WORKSPACES));
  for (let time = 1; time <= times; time += 1) {
    if (times > 1) console.log(`${time} of ${times}`);
    const recipients = time === 1 ? first : RECIPIENTS.each;
    for (const name of names.filter((each) => isDue(each, time))) await suite.run(name, recipients);
  }
  await suite.finish();
  for (const name of names.filter((each) => each in MUTATIONS)) await suite.mutate(name);
  await Promise.all([services.postgres.stop(), services.rabbitmq.stop()]);
  if (notRun.length > 0) console.log(`not run: ${notRun.join(', ')}`);
  console.log(suite.report.toString());
  process.exitCode = suite.report.failed ? 1 : 0;
}

runSuite(USAGE, readOptions, main);
