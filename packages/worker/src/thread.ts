import { parentPort, workerData } from 'node:worker_threads';
import { AmqpTransport } from './amqp-transport';
import { createEngine } from './create-engine';
import type { EngineSettings } from './options';
import type { ToEngine } from './protocol';

/** The program of the engine's thread. */
const port = parentPort;
if (!port)
  throw new Error('@parley/worker/thread is the program of a thread. Import @parley/worker instead.');
const settings = workerData as EngineSettings;
const engine = createEngine(settings, new AmqpTransport(settings.urls, settings.workerId, settings), {
  post: (message) => port.postMessage(message),
  watchesEventLoop: true,
});
port.on('message', (message: ToEngine) => engine?.receive(message));
void engine?.start();
