import './check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './build.mjs';
import { loadEnvironment } from './environment.mjs';
import { install } from './install.mjs';
import { LaunchError } from './launch-error.cjs';
import { root } from './root.mjs';
import {
  closeInTime,
  fail,
  handleSignals,
  onShutdown,
  signalsAreExpected,
  stopWithNpm,
} from './shutdown.mjs';

handleSignals();
stopWithNpm('runtime');
try {
  loadEnvironment();
  if (!process.env.RABBITMQ_URL) {
    throw new LaunchError(
      'RABBITMQ_URL is not set. A separate runtime needs RabbitMQ. Without RabbitMQ, npm start runs the simulated runtime in the server process.',
    );
  }
  await install();
  await build();
  const runtime = await createRequire(import.meta.url)(join(root, 'dist', 'runtime', 'main.js')).start();
  onShutdown(() => closeInTime(runtime));
  signalsAreExpected();
  console.log('The runtime is waiting for calls.');
} catch (error) {
  await fail(error);
}
