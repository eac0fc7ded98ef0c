import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpeechThreads } from '../src/speech/local/speech-threads';

/** A thread that cannot load its model at first, and then recognizes the tasks that it was given before. */
const thread = `
  const { existsSync, writeFileSync } = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  const mark = __filename + '.started';
  if (existsSync(mark)) {
    const heard = [];
    parentPort.on('message', ({ samples }) => {
      heard.push(samples[0]);
      parentPort.postMessage({ type: 'result', output: heard.join(' ') });
    });
    parentPort.postMessage({ type: 'ready' });
  } else {
    writeFileSync(mark, '');
    parentPort.postMessage({ type: 'error', message: 'The model is not readable' });
  }
`;

test('a task that failed because no thread could start is not done later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'speech-threads-'));
  const file = join(folder, 'thread.cjs');
  await writeFile(file, thread);
  const threads = new SpeechThreads('recognize', { threads: 1, queued: 1 }, file);
  const run = (sample: number) =>
    threads.run({ samples: Int16Array.of(sample) }, new AbortController().signal);
  try {
    await expect(run(1)).rejects.toThrow('The model is not readable');
    await expect(run(2)).resolves.toBe('2');
  } finally {
    await threads.close();
    await rm(folder, { recursive: true });
  }
});
