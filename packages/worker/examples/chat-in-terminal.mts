// The conversation of chat.mts with a person at this terminal. MODEL_URL, MODEL_KEY and MODEL choose the model.
import { createInterface } from 'node:readline/promises';
import { createWorker } from '@parley/worker';
import { chat, type Person } from './chat.mjs';

const { MODEL_URL = 'https://api.openai.com/v1', MODEL_KEY = '', MODEL = 'gpt-4o-mini' } = process.env;

const lines = createInterface({ input: process.stdin });
const typed = lines[Symbol.asyncIterator]();
const person: Person = {
  hears: (text) => void process.stdout.write(text),
  says: async (signal) => {
    process.stdout.write('\n> ');
    const hungUp = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    const line = await Promise.race([typed.next(), hungUp]);
    return line.done ? undefined : line.value;
  },
};
const model = { url: MODEL_URL, key: MODEL_KEY, name: MODEL };
const worker = createWorker({ name: 'chat', handleSignals: true }, (call) => chat(call, person, model));

await worker.run();
lines.close();
process.stdin.destroy();
