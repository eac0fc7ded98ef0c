import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { createEngine } from './create-engine';
import type { EngineSettings } from './options';
import type { FromEngine, ToEngine } from './protocol';
import type { Transport } from './transport';

/** The worker's side of the connection to its engine. */
export interface EngineLink {
  post(message: ToEngine): void;
  /** Ends the engine after the message `closed` or `refused`. */
  end(): Promise<void>;
}

/**
 * Runs the engine in a thread of its own.
 * @param failed is called if the thread fails
 */
export function startEngineThread(
  settings: EngineSettings,
  receive: (message: FromEngine) => void,
  failed: (error: Error) => void,
): EngineLink {
  // The thread's file is beside this file, also if a bundler was told to put @parley/worker/thread there.
  const file = join(__dirname, 'thread.js');
  if (!existsSync(file)) {
    throw new Error(
      `${file} does not exist: a bundler has probably included @parley/worker. Mark it as external, or build its ` +
        'entry @parley/worker/thread as thread.js into the same folder.',
    );
  }
  // The engine needs no loaders and hooks of the program.
  const thread = new Thread(file, { workerData: settings, execArgv: [], name: 'parley' });
  let isEnding = false;
  thread.on('message', receive);
  thread.on('error', failed);
  thread.on('exit', () => isEnding || failed(new Error('The thread of @parley/worker has ended.')));
  return {
    post: (message) => thread.postMessage(message),
    end: async () => {
      isEnding = true;
      await thread.terminate();
    },
  };
}

/** Runs the engine in this thread, for a transport that is an object of this thread. */
export function startLocalEngine(
  settings: EngineSettings,
  transport: Transport,
  receive: (message: FromEngine) => void,
): EngineLink {
  // Messages arrive later and as copies, as those of a thread do.
  const later =
    <Message>(pass: (message: Message) => void) =>
    (message: Message) =>
      queueMicrotask(() => pass(structuredClone(message)));
  const engine = createEngine(settings, transport, { post: later(receive), watchesEventLoop: false });
  void engine?.start();
  return {
    post: later((message: ToEngine) => engine?.receive(message)),
    end: () => Promise.resolve(),
  };
}
