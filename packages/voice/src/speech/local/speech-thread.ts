import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../../errors';
import type { Audio } from '../../audio/audio';
import type { VoiceSettings } from '../speech';
import { Flite } from './flite';
import { Moonshine } from './moonshine';

/** The tasks of a thread. Each thread does one kind, because a recognition would delay a synthesis. */
export interface Tasks {
  recognize: { input: { samples: Int16Array }; output: string };
  synthesize: { input: { text: string; settings: VoiceSettings }; output: Audio };
}
export type TaskKind = keyof Tasks;

export type ThreadMessage =
  | { type: 'ready' }
  | { type: 'result'; output: Tasks[TaskKind]['output'] }
  | { type: 'error'; message: string };

const port = parentPort;
if (port) void serve(port, (workerData as { kind: TaskKind }).kind);

async function serve(to: NonNullable<typeof port>, kind: TaskKind): Promise<void> {
  const send = (message: ThreadMessage, transferred: ArrayBuffer[] = []) =>
    to.postMessage(message, transferred);
  const fail = (error: unknown) => send({ type: 'error', message: describeError(error) });
  try {
    if (kind === 'recognize') {
      const recognize = await recognizing();
      to.on('message', ({ samples }: Tasks['recognize']['input']) => {
        recognize(samples).then((output) => send({ type: 'result', output }), fail);
      });
    } else {
      const flite = await Flite.load();
      to.on('message', ({ text, settings }: Tasks['synthesize']['input']) => {
        try {
          const output = flite.speak(text, settings);
          send({ type: 'result', output }, [output.samples.buffer as ArrayBuffer]);
        } catch (error) {
          fail(error);
        }
      });
    }
  } catch (error) {
    return fail(error);
  }
  send({ type: 'ready' });
}

async function recognizing() {
  const moonshine = await Moonshine.load();
  // The first run compiles.
  await moonshine.recognize(new Int16Array(16_000));
  return (samples: Int16Array) => moonshine.recognize(samples);
}
