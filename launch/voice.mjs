import './build/check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './build/build.mjs';
import { loadEnvironment } from './server/environment.mjs';
import { install } from './build/install.mjs';
import { LaunchError } from './process/launch-error.cjs';
import { root } from './process/root.mjs';
import { readLineOption } from './server/voice-option.mjs';
import {
  beforeShutdown,
  fail,
  handleSignals,
  shutDown,
  signalsAreExpected,
  stopWithNpm,
} from './process/shutdown.mjs';

handleSignals();
stopWithNpm('voice');
try {
  readLineOption('run voice');
  loadEnvironment();
  if (!process.env.RABBITMQ_URL) {
    throw new LaunchError(
      'RABBITMQ_URL is not set. A separate voice runtime needs RabbitMQ. Without RabbitMQ, npm start runs the voice runtime in the server process.',
    );
  }
  await install('server');
  await build();
  const { VoiceProcess } = createRequire(import.meta.url)(join(root, 'packages', 'voice'));
  const voice = await VoiceProcess.start();
  beforeShutdown(() => voice.drain());
  signalsAreExpected();
  console.log(`The voice runtime is reached at ${voice.publicUrl} and waits for calls.`);
  await voice.run();
  await shutDown(0);
} catch (error) {
  await fail(error);
}
