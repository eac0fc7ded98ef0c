import '../../launch/build/check-node.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import util from 'node:util';
import { startEmbeddedPostgres } from '../../launch/postgres/embedded-postgres.cjs';
import { findBrowser } from './find-browser.mjs';
import { install } from '../../launch/build/install.mjs';
import { repeatFailed, runJest, summary } from './jest-run.mjs';
import { progress } from '../../launch/process/progress.mjs';
import { findRabbitmqServer, startRabbitmqNode } from './rabbitmq-node.cjs';
import { root } from '../../launch/process/root.mjs';
import { fail, handleSignals, limitShutdown, shutDown, stopWithNpm } from '../../launch/process/shutdown.mjs';
import { buildForTests } from './test-build.mjs';
import { cleanEnvironment, makeFolder } from './test-run.mjs';

// No data in a test's database has to survive a crash of the machine.
const postgresSettings = {
  max_connections: 600,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

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

const browserSays = (browser) =>
  browser
    ? `Browser: ${browser}`
    : 'Browser: none, so tests that need it are skipped (install chromium-headless-shell, or set CHROMIUM)';

function testEnvironment(folder, build, postgres, broker) {
  const env = cleanEnvironment(folder);
  delete env.TEST_RABBITMQ_URL;
  delete env.TEST_CHROMIUM;
  const browser = findBrowser();
  return {
    ...env,
    TEST_BUILD: build,
    TEST_DATABASE_URL: postgres.url,
    ...(broker.url && { TEST_RABBITMQ_URL: broker.url }),
    ...(browser && { TEST_CHROMIUM: browser }),
  };
}

handleSignals();
limitShutdown(120_000);
stopWithNpm(process.env.TEST_SLOW ? 'test:slow' : 'test');
try {
  await install();
  const build = await buildForTests();
  const folder = makeFolder();
  const broker = chooseBroker(folder);
  const says = `${broker.says}\n${browserSays(findBrowser())}`;
  console.log(says);
  const [postgres, { url }] = await progress('Starting what the tests need', () =>
    Promise.all([
      startEmbeddedPostgres({ folder: join(folder, 'postgres'), settings: postgresSettings }),
      broker.start(),
    ]),
  );
  const env = testEnvironment(folder, build, postgres, { url });
  let outcome = await runJest(folder, process.argv.slice(2), env);
  if (process.env.CI) outcome = await repeatFailed(folder, outcome, env);
  console.log(`${says}\n${summary(outcome)}`);
  await shutDown(outcome.code);
} catch (error) {
  await fail(error);
}
