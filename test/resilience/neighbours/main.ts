import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../../launch/postgres/embedded-postgres.cjs';
import { findRabbitmqServer, startRabbitmqNode } from '../../run/rabbitmq-node.cjs';
import { runSuite, selectNames } from '../../support/suite-command';
import { createTemplate, type Workspace } from '../../support/workspaces';
import { ATTACKS } from './attacks';
import { type Outcome, run } from './suite';

const SECONDS = 6;

const USAGE = `Usage: npm run test:neighbours [-- --seconds N] [--only NAME ...]

  --seconds  how long each attack lasts (default: ${SECONDS})
  --only     attacks: ${Object.keys(ATTACKS).join('; ')}
`;

function readOptions() {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, only: { type: 'string', multiple: true } },
  });
  const seconds = Number(values.seconds ?? SECONDS);
  if (!(seconds > 0)) throw new Error('--seconds must be a number greater than 0.');
  return { seconds, names: selectNames(values.only, Object.keys(ATTACKS)) };
}

const format = (answers: Record<string, number>) =>
  Object.entries(answers)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

function print(outcome: Outcome): void {
  const { name, requests, answers, undisturbed, disturbed, memory, background, failures } = outcome;
  const rounded = (ms: number) => `${Math.round(ms)} ms`;
  console.log(
    `${failures.length === 0 ? 'passed' : 'FAILED'}  ${name}\n` +
      `        attacker: ${requests} requests${requests > 0 ? ` (${format(answers)})` : ''}\n` +
      `        neighbour: ${disturbed.requests} requests, ${disturbed.failures.length} failed, slowest ` +
      `${rounded(disturbed.slowestMs)} (${rounded(undisturbed.slowestMs)} without the attack), median ` +
      `${disturbed.medianMs.toFixed(1)} ms (${undisturbed.medianMs.toFixed(1)} ms)\n` +
      `        server: ${Math.round(memory.peak)} MB at most (${Math.round(memory.atRest)} MB before)`,
  );
  if (background) {
    const { kind, before = 0, during = 0 } = background;
    console.log(
      `        neighbour: its ${kind} took ${rounded(during)} (${rounded(before)} without the attack)`,
    );
  }
  for (const failure of failures.slice(0, 10)) console.log(`        ${failure.slice(0, 500)}`);
}

async function main({ seconds, names }: ReturnType<typeof readOptions>): Promise<void> {
  const folder = tmpdir();
  const [postgres, rabbitmq] = await Promise.all([
    startEmbeddedPostgres({ folder: join(folder, 'postgres') }),
    findRabbitmqServer() ? startRabbitmqNode({ dir: join(folder, 'rabbitmq') }) : undefined,
  ]);
  process.env.TEST_DATABASE_URL = postgres.url;
  const workspaces = (await createTemplate(2)) as [Workspace, Workspace];
  const outcomes: Outcome[] = [];
  const possible = names.filter((name) => rabbitmq || !ATTACKS[name]?.needsRabbitmq);
  for (const name of possible) {
    const outcome = await run(name, workspaces, rabbitmq?.url, seconds);
    print(outcome);
    outcomes.push(outcome);
  }
  await Promise.all([postgres.stop(), rabbitmq?.stop()]);
  const failed = outcomes.filter(({ failures }) => failures.length > 0).length;
  const sum = (count: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const requests = sum(({ disturbed }) => disturbed.requests);
  const neighbourFailures = sum(({ disturbed }) => disturbed.failures.length);
  console.log(
    `${outcomes.length} attacks, ${sum((outcome) => outcome.requests)} requests of the attacker, ${requests} of the ` +
      `neighbour, of which ${neighbourFailures} failed`,
  );
  const skipped = names.length - possible.length;
  if (skipped > 0) console.log(`Skipped without a rabbitmq-server: ${skipped}`);
  console.log(
    `${outcomes.length - failed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
}

runSuite(USAGE, readOptions, main);
