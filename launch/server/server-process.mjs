import { createRequire } from 'node:module';
import {
  beforeShutdown,
  closeInTime,
  fail,
  handleSignals,
  onShutdown,
  signalsAreExpected,
} from '../process/shutdown.mjs';
import { welcome } from './welcome.mjs';

// One of several processes of a server, which `server-processes.mjs` starts.
handleSignals();
try {
  const app = await createRequire(import.meta.url)(process.argv[2]).start();
  beforeShutdown((signal) => app.drain(signal));
  onShutdown(() => closeInTime(app));
  signalsAreExpected();
  process.send({ type: 'started', url: app.url });
  if (process.env.PARLEY_WELCOME) await welcome(app, { dataFolder: process.env.PARLEY_DATA });
} catch (error) {
  await fail(error);
}
