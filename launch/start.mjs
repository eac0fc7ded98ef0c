import './build/check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './build/build.mjs';
import { loadEnvironment, provideServices } from './server/environment.mjs';
import { install } from './build/install.mjs';
import { LaunchError } from './process/launch-error.cjs';
import { acquireLock } from './process/lock.mjs';
import { root } from './process/root.mjs';
import serverAddress from './server/server-address.cjs';
import {
  beforeShutdown,
  closeInTime,
  fail,
  handleSignals,
  onShutdown,
  signalsAreExpected,
  stopWithNpm,
} from './process/shutdown.mjs';
import { readLineOption } from './server/voice-option.mjs';
import { welcome } from './server/welcome.mjs';

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

/** @throws LaunchError, or ConfigError, if the database or the broker allows one process only */
function countProcesses({ assertRolesMeet, loadConfig }, { embedded }) {
  const config = loadConfig();
  assertRolesMeet(config);
  if (config.PROCESSES > 1 && embedded) {
    throw new LaunchError(
      'PROCESSES must be 1 with the embedded Postgres, which has connections for one process. Set DATABASE_URL.',
    );
  }
  return config.PROCESSES;
}

handleSignals();
stopWithNpm('start');
try {
  readLineOption('start');
  const environment = loadEnvironment();
  const lock = await lockServer(environment);
  await install('server');
  await build();
  await provideServices(environment, { keepAlive: true });
  const require = createRequire(import.meta.url);
  const processes = countProcesses(require(join(root, 'dist', 'config.js')), environment);
  const publish = (url) => {
    serverAddress.writeAddress(environment.dataFolder, process.env.PUBLIC_URL || url);
    onShutdown(() => serverAddress.removeAddress(environment.dataFolder));
  };
  if (processes > 1) {
    onShutdown(() => lock?.setNote('stopping'));
    // It needs a package, which a new clone has only now.
    const { startProcesses } = await import('./server/server-processes.mjs');
    publish(await startProcesses(processes, join(root, 'dist', 'main.js')));
    signalsAreExpected();
  } else {
    const app = await require(join(root, 'dist', 'main.js')).start();
    publish(app.url);
    beforeShutdown((signal) => app.drain(signal));
    onShutdown(async () => {
      lock?.setNote('stopping');
      await closeInTime(app);
    });
    signalsAreExpected();
    await welcome(app, environment);
  }
} catch (error) {
  await fail(error);
}
