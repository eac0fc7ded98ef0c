import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { LastRelease } from '../../support/last-release';
import { runSuite, selectNames } from '../../support/suite-command';
import { Cluster } from './cluster';
import { FAULTS, SHORT, UPGRADE } from './faults';
import { measureLosses } from './losses';
import { Report } from './report';
import { ClusterSuite } from './suite';

const MINUTES = 30;

const USAGE = `Usage: npm run test:cluster [-- --short] [--minutes N] [--only NAME ...]

  --short    injects one of each way to fail, in less than three minutes, and holds no bound of time
  --minutes  repeats all faults for this long (default: ${MINUTES})
  --only     faults: ${Object.keys(FAULTS).join(', ')}
`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      only: { type: 'string', multiple: true },
    },
  });
  const minutes = Number(values.minutes ?? (values.short ? 0 : MINUTES));
  if (!(minutes >= 0)) throw new Error('--minutes must be a number of at least 0.');
  const names =
    values.only === undefined && values.short ? SHORT : selectNames(values.only, Object.keys(FAULTS));
  return { minutes, names, isShort: values.short };
}

Logger.overrideLogger(['error']);

async function main({ minutes, names, isShort }: ReturnType<typeof readOptions>): Promise<void> {
  const startedAt = Date.now();
  // Without the history of the repository, there is no last release.
  const lastRelease = names.includes(UPGRADE) ? LastRelease.compile() : undefined;
  const faults = lastRelease ? names : names.filter((name) => name !== UPGRADE);
  const cluster = await Cluster.start(tmpdir(), lastRelease);
  await cluster.postgres.setSynchronous(true);
  console.log(`The cluster started in ${((Date.now() - startedAt) / 1_000).toFixed(0)} s.`);
  // A short run is part of CI, where a slow machine is no failure.
  const report = new Report(Object.keys(FAULTS), !isShort);
  const suite = new ClusterSuite(cluster, report);
  const until = Date.now() + minutes * 60_000;
  do await suite.lap(faults);
  while (Date.now() < until && !report.broken);
  if (!isShort && !report.broken) await measureLosses(cluster, report);
  await cluster.stop();
  lastRelease?.remove();
  console.log(report.toString());
  process.exitCode = report.failed ? 1 : 0;
}

runSuite(USAGE, readOptions, main);
