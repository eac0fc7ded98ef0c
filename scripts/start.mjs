import './check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './build.mjs';
import { loadEnvironment, provideServices } from './environment.mjs';
import { install } from './install.mjs';
import { LaunchError } from './launch-error.cjs';
import { acquireLock } from './lock.mjs';
import { root } from './root.mjs';
import serverAddress from './server-address.cjs';
import {
  beforeShutdown,
  closeInTime,
  fail,
  handleSignals,
  onShutdown,
  signalsAreExpected,
  stopWithNpm,
} from './shutdown.mjs';
import { readLineOption } from './voice-option.mjs';
import { welcome } from './welcome.mjs';

/** Allows one server for a data folder, or one for each port if several servers share an external database. */
async function lockServer({ dataFolder, embedded }) {
  const port = process.env.PORT || '3000';
  if (!embedded && port === '0') return;
  let holder;
  const lock = await acquireLock(
    join(dataFolder, embedded ? 'server.lock' : `server-${port}.lock`),
    (found) => {
      holder = found;
      // A server whose npm has just been killed detects that after a moment.
      return found.note === 'stopping' ? 15_000 : 1_500;
    },
  );
  if (!lock) throw new LaunchError(`Parley is already running here (process ${holder.pid}). Stop it first.`);
  onShutdown(() => lock.release());
  return lock;
}

handleSignals();
stopWithNpm('start');
try {
  readLineOption('start');
  const environment = loadEnvironment();
  const lock = await lockServer(environment);
  await install();
  await build();
  await provideServices(environment, { keepAlive: true });
  const app = await createRequire(import.meta.url)(join(root, 'dist', 'main.js')).start();
  const { dataFolder } = environment;
  serverAddress.writeAddress(dataFolder, process.env.PUBLIC_URL || app.url);
  beforeShutdown((signal) => app.drain(signal));
  onShutdown(() => serverAddress.removeAddress(dataFolder));
  onShutdown(async () => {
    lock?.setNote('stopping');
    await closeInTime(app);
  });
  signalsAreExpected();
  await welcome(app, environment);
} catch (error) {
  await fail(error);
}
