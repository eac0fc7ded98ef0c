import './check-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import util from 'node:util';
import { startEmbeddedPostgres } from './embedded-postgres.cjs';
import { install } from './install.mjs';
import { identify } from './processes.cjs';
import { progress } from './progress.mjs';
import { findRabbitmqServer, startRabbitmqNode } from './rabbitmq-node.cjs';
import { root } from './root.mjs';
import { fail, handleSignals, onShutdown, shutDown, stopWithNpm } from './shutdown.mjs';

// Nothing in a test's database has to survive the machine.
const postgresSettings = {
  max_connections: 600,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** A folder for everything that the run makes; it and the processes in it go when this process ends, even if killed. */
function makeFolder() {
  // Root's own temporary folder may be closed to the account that Postgres gets.
  const folder = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'parley-test-'));
  const cleaner = spawn(process.execPath, [join(root, 'scripts', 'clean-up.mjs'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onShutdown(async () => {
    cleaner.stdin.end();
    await once(cleaner, 'exit');
  });
  return folder;
}

/** The RabbitMQ for the tests: the user's, else a node of our own, else none. */
function chooseBroker(folder) {
  const dotEnv = join(root, '.env');
  const given =
    process.env.RABBITMQ_URL ||
    (existsSync(dotEnv) && util.parseEnv(readFileSync(dotEnv, 'utf8')).RABBITMQ_URL);
  if (given) return { says: 'RabbitMQ: the one of RABBITMQ_URL', start: () => ({ url: given }) };
  const server = findRabbitmqServer();
  if (server) {
    return {
      says: `RabbitMQ: a private node of ${server}`,
      start: () => startRabbitmqNode({ dir: join(folder, 'rabbitmq') }),
    };
  }
  return {
    says: 'RabbitMQ: none, so tests that need it are skipped (install rabbitmq-server, or set RABBITMQ_URL)',
    start: () => ({ url: undefined }),
  };
}

/** The environment without the user's settings: a test makes its own, and must never reach their database. */
function testEnvironment(folder, postgres, broker) {
  const env = { ...process.env, TMPDIR: folder, PARLEY_DATA: join(folder, 'data') };
  const settings = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#? *([A-Z][A-Z_]+)=/gm);
  for (const [, name] of settings) if (name !== 'PARLEY_DATA') delete env[name];
  delete env.TEST_RABBITMQ_URL;
  return { ...env, TEST_DATABASE_URL: postgres.url, ...(broker.url && { TEST_RABBITMQ_URL: broker.url }) };
}

async function runJest(folder, env) {
  const resultFile = join(folder, 'results.json');
  const args = [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    `--cacheDirectory=${join(root, 'node_modules', '.cache', 'jest')}`,
    '--json',
    `--outputFile=${resultFile}`,
    ...process.argv.slice(2),
  ];
  const jest = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  writeFileSync(join(folder, 'jest.pid'), identify(jest.pid) ?? '');
  const exited = once(jest, 'exit');
  const forget = onShutdown(() => jest.kill() && exited);
  const [code] = await exited;
  forget();
  return {
    code: code ?? 1,
    results: existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : {},
  };
}

/** 'N passed, N failed'; a test file that could not be run, or a jest that failed otherwise, counts as a failure. */
function summary({ code, results }) {
  const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = results;
  const { numPendingTests = 0, numTodoTests = 0 } = results;
  const failed = Math.max(numFailedTests + numRuntimeErrorTestSuites, code === 0 ? 0 : 1);
  const skipped = numPendingTests + numTodoTests;
  return `${numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
}

handleSignals();
stopWithNpm('test');
try {
  await install();
  const folder = makeFolder();
  const broker = chooseBroker(folder);
  console.log(broker.says);
  const [postgres, { url }] = await progress('Starting what the tests need', () =>
    Promise.all([
      startEmbeddedPostgres({ folder: join(folder, 'postgres'), settings: postgresSettings }),
      broker.start(),
    ]),
  );
  const outcome = await runJest(folder, testEnvironment(folder, postgres, { url }));
  console.log(`${broker.says}\n${summary(outcome)}`);
  await shutDown(outcome.code);
} catch (error) {
  await fail(error);
}
