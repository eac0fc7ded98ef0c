import { Chain } from '../providers/chain';
import { ProviderHealth } from '../providers/provider-health';
import { VirtualClock } from '../rehearsal/virtual-clock';
import { FallbackRecognizer } from './fallback-recognizer';
import type { Recognition, Recognizer } from './speech';

/** A provider whose streams answer as the script says, one after the other. An undefined text never comes. */
class ScriptedRecognizer implements Recognizer {
  readonly streams: { writes: number; isClosed: boolean }[] = [];

  constructor(
    readonly provider: string,
    private readonly texts: (string | Error | undefined)[],
  ) {}

  open(): Recognition {
    const stream = { writes: 0, isClosed: false };
    this.streams.push(stream);
    return {
      write: () => void stream.writes++,
      text: (signal) => {
        const text = this.texts.shift();
        if (text === undefined)
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          );
        return text instanceof Error ? Promise.reject(text) : Promise.resolve(text);
      },
      next: () => undefined,
      get seconds() {
        return stream.writes;
      },
      close: () => void (stream.isClosed = true),
    };
  }
}

const SECOND = new Int16Array(16_000);

function setUp(recognizers: ScriptedRecognizer[]) {
  const clock = new VirtualClock();
  const health = new ProviderHealth({ failures: 3, ms: 30_000 }, undefined, clock);
  const candidates = recognizers.map((use) => ({ provider: use.provider, model: '', use }));
  const chain = new Chain<Recognizer>('recognition', candidates, {
    ...{ health, clock, hedgeMs: 900, fellBack: () => undefined },
  });
  const recognition = new FallbackRecognizer(chain).open({ interim: () => undefined });
  const hear = async (signal = new AbortController().signal) => {
    recognition.write(SECOND);
    const text = recognition.text(signal).catch((error: Error) => error.message);
    for (let turn = 0; turn < 20; turn++) {
      await clock.settled();
      clock.advance(100);
    }
    return text;
  };
  return { recognition, hear, health };
}

test('a stream that has stalled is closed, and the next utterance goes over another one', async () => {
  const one = new ScriptedRecognizer('one', [undefined, 'first again']);
  const two = new ScriptedRecognizer('two', ['second']);
  const { recognition, hear, health } = setUp([one, two]);
  expect(await hear()).toBe('second');
  expect(one.streams).toEqual([{ writes: 1, isClosed: true }]);
  recognition.next();
  expect(await hear()).toBe('first again');
  expect(one.streams).toHaveLength(2);
  expect(health.report().map(({ state }) => state)).toEqual(['ok', 'ok']);
  // Two of the first provider, and one of the second.
  expect(recognition.seconds).toBe(3);
});

test('after the failure of a stream its provider gets no audio in the same utterance', async () => {
  const one = new ScriptedRecognizer('one', [new Error('cut')]);
  const { recognition, hear } = setUp([one, new ScriptedRecognizer('two', [undefined, undefined])]);
  const text = hear();
  await new Promise((resolve) => setImmediate(resolve));
  recognition.write(SECOND);
  expect(one.streams).toHaveLength(1);
  recognition.close();
  await text;
});

test('a text that is not needed any more leaves the stream open', async () => {
  const one = new ScriptedRecognizer('one', [undefined]);
  const { hear } = setUp([one, new ScriptedRecognizer('two', ['second'])]);
  const person = new AbortController();
  const text = hear(person.signal);
  person.abort(new Error('over'));
  await text;
  expect(one.streams).toEqual([{ writes: 1, isClosed: false }]);
});

test('the speech of this machine adds no seconds to those of the provider', async () => {
  const own = new ScriptedRecognizer('local', ['here']);
  const { recognition, hear } = setUp([new ScriptedRecognizer('one', [new Error('cut')]), own]);
  expect(await hear()).toBe('here');
  expect(recognition.seconds).toBe(1);
});
