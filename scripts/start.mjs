import './check-node.mjs';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './build.mjs';
import { loadEnvironment, provideServices } from './environment.mjs';
import { install } from './install.mjs';
import { LaunchError } from './launch-error.cjs';
import { takeLock } from './lock.mjs';
import { root } from './root.mjs';
import { fail, handleSignals, onShutdown, signalsAreExpected, stopWithNpm } from './shutdown.mjs';
import { welcome } from './welcome.mjs';

const CLOSE_TIMEOUT_MS = 7_000;

/** One server for one data folder, or for one port where the database is elsewhere and several servers may share it. */
async function claimFolder({ dataFolder, embedded }) {
  const port = process.env.PORT || '3000';
  if (!embedded && port === '0') return;
  let holder;
  const lock = await takeLock(join(dataFolder, embedded ? 'server.lock' : `server-${port}.lock`), (found) => {
    holder = found;
    // One whose npm has just been killed needs a moment to notice it.
    return found.note === 'stopping' ? 15_000 : 1_500;
  });
  if (!lock) throw new LaunchError(`Parley is already running here (pid ${holder.pid}).`);
  onShutdown(() => lock.release());
  return lock;
}

/** Lets the application finish what it has begun, but not for ever. */
async function close(app) {
  const timeout = AbortSignal.timeout(CLOSE_TIMEOUT_MS);
  await Promise.race([
    app.close(),
    once(timeout, 'abort').then(() => console.error('Some work did not end in time.')),
  ]);
}

handleSignals();
stopWithNpm('start');
try {
  const environment = loadEnvironment();
  const lock = await claimFolder(environment);
  await install();
  await build();
  await provideServices(environment, { keepAlive: true });
  const app = await createRequire(import.meta.url)(join(root, 'dist', 'main.js')).start();
  onShutdown(async () => {
    lock?.note('stopping');
    await close(app);
  });
  signalsAreExpected();
  await welcome(app, environment);
} catch (error) {
  await fail(error);
}
