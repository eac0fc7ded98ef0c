import { until } from '../../../test/support/until';
import { LocalSpeech } from '@parley/voice';
import { resample } from '../src/audio/resampler';
import { readSpeech } from '../src/runtime/speech-settings';
import { AccountLimit } from '../src/speech/account-limit';
import { DeepgramRecognizer } from '../src/speech/deepgram/deepgram-recognizer';
import { createListenUrl, cutTerms } from '../src/speech/deepgram/listen-url';
import type { Environment } from '../src/runtime/environment';
import type { Recognition } from '../src/speech/speech';
import { DeepgramStandIn } from './stand-ins/deepgram/deepgram-stand-in';
import { liveRow, liveSettings, type Row, standInRow } from './support/live';

jest.setTimeout(30_000);

const options = { model: '', language: 'en', terms: ['Parley'] };
const { signal } = new AbortController();
const RATE = 16_000;
/** Noise is enough for the stand-in. */
const speech = Int16Array.from({ length: RATE }, (_, at) => 8_000 * Math.sin(at * at));
const frames = (samples: Int16Array) =>
  Array.from({ length: samples.length / 320 }, (_, at) => samples.subarray(at * 320, at * 320 + 320));
const say = (recognition: Recognition, samples: Int16Array) => {
  for (const frame of frames(samples)) recognition.write(frame);
};

/** Speech of this machine. */
async function speak(local: LocalSpeech, text: string): Promise<Int16Array> {
  const samples: number[] = [];
  const voice = { voice: 'slt', speed: 1, pitch: 1 };
  for await (const audio of local.synthesizer.speak(text, voice, signal))
    samples.push(...resample(audio.samples, audio.sampleRate, RATE));
  // A recogniser needs the silence after the last word.
  return Int16Array.from([...samples, ...new Int16Array(RATE / 2)]);
}

/** The tests of the recogniser with the stand-in, or with Deepgram itself. */
function testRecognition(row: Row, connect: (texts: string[]) => Environment): void {
  let local: LocalSpeech;
  let opened: Recognition | undefined;
  let interims: string[];
  beforeAll(() => (local = new LocalSpeech()));
  beforeEach(() => (interims = []));
  afterEach(() => opened?.close());
  afterAll(() => local.close());

  function open(texts: string[] = [], more: Partial<typeof options> = {}, key?: string) {
    const env = connect(texts);
    const account = readSpeech(key === undefined ? env : { ...env, DEEPGRAM_API_KEY: key }).accounts.deepgram;
    if (!account) throw new Error('DEEPGRAM_API_KEY is not set');
    const recognizer = new DeepgramRecognizer(account, { ...options, ...more });
    return (opened = recognizer.open({ interim: (text) => void interims.push(text) }));
  }

  row('hears one utterance after the other, and what was said so far', [], async () => {
    const recognition = open(['A table for two.', 'On Friday.']);
    const [table, friday] = [await speak(local, 'A table for two.'), await speak(local, 'On Friday.')];
    say(recognition, table);
    await until(() => /a table/i.test(interims.join()));
    expect(await recognition.text(signal)).toMatch(/^A table for (two|2)\.?$/i);
    recognition.next();
    say(recognition, friday);
    expect(await recognition.text(signal)).toMatch(/^On Friday\.?$/i);
    expect(recognition.seconds).toBeCloseTo((table.length + friday.length) / RATE, 1);
  });

  row('adds what is said after a pause to the utterance', [], async () => {
    const recognition = open(['A table', 'for two.']);
    say(recognition, await speak(local, 'A table'));
    expect(await recognition.text(signal)).toMatch(/^A table\.?$/i);
    say(recognition, await speak(local, 'for two.'));
    expect(await recognition.text(signal)).toMatch(/^A table\.? for (two|2)\.?$/i);
  });

  row('hears nothing in silence, and asks for nothing if nothing was said', [], async () => {
    const recognition = open();
    expect(await recognition.text(signal)).toBe('');
    say(recognition, new Int16Array(RATE));
    expect(await recognition.text(signal)).toBe('');
  });

  row('says that a key, a model or a language is wrong, and never the key', [], async () => {
    for (const [change, key, sentence] of [
      [{}, 'wrong-key', /^Deepgram answered 401: Invalid credentials\.$/],
      [
        { model: 'nova-9' },
        undefined,
        /^Deepgram answered 400: No such model.* \(model nova-9, language en\)$/,
      ],
      [{ language: 'tlh' }, undefined, /^Deepgram answered 400: .* \(model nova-3, language tlh\)$/],
    ] as const) {
      const recognition = open([], change, key);
      say(recognition, speech);
      await expect(recognition.text(signal)).rejects.toThrow(sentence);
      recognition.close();
    }
  });
}

describe('The recogniser of Deepgram', () => {
  let deepgram: DeepgramStandIn;
  beforeAll(async () => {
    deepgram = await DeepgramStandIn.listen();
  });
  afterEach(() => {
    expect(deepgram.complaints).toEqual([]);
    // A call has one stream.
    expect(deepgram.urls.splice(0).length).toBeLessThanOrEqual(1);
  });
  afterAll(() => deepgram.close());

  testRecognition(standInRow, (texts) => {
    deepgram.texts = texts;
    return { DEEPGRAM_BASE_URL: deepgram.baseUrl, DEEPGRAM_API_KEY: deepgram.apiKey };
  });
});

describe('The recogniser of Deepgram itself', () => testRecognition(liveRow('deepgram'), () => liveSettings));

describe('The recogniser of Deepgram, where only the stand-in shows it', () => {
  let deepgram: DeepgramStandIn;
  let recognition: Recognition | undefined;
  beforeEach(async () => {
    deepgram = await DeepgramStandIn.listen();
  });
  afterEach(() => {
    recognition?.close();
    deepgram.close();
    expect(deepgram.complaints).toEqual([]);
  });
  const open = () =>
    (recognition = new DeepgramRecognizer(
      { baseUrl: deepgram.baseUrl, apiKey: deepgram.apiKey },
      options,
    ).open({ interim: () => undefined }));

  test('says the whole utterance again to a new stream if the first one ends', async () => {
    deepgram.faults.push({ closesAfter: 0.5 });
    const opened = open();
    say(opened, speech);
    await expect(opened.text(signal)).rejects.toThrow('Deepgram closed the stream: 1011 NET-0000');
    expect(await opened.text(signal)).toBe('A table for two.');
    expect(deepgram.urls).toHaveLength(2);
  });

  test.each([
    [{ refuses: 429 }, 'Deepgram answered 429: Too many requests'],
    [{ sendsNonsense: true as const }, 'Deepgram sent a message that makes no sense'],
  ])('says what is wrong with %j, and hears at the second attempt', async (fault, sentence) => {
    deepgram.faults.push(fault);
    const opened = open();
    say(opened, speech);
    await expect(opened.text(signal)).rejects.toThrow(sentence);
    expect(await opened.text(signal)).toBe('A table for two.');
  });

  test('waits for a text for 5 s at most', async () => {
    deepgram.faults.push({ isSilent: true });
    const opened = open();
    say(opened, speech);
    await expect(opened.text(signal)).rejects.toThrow('Deepgram sent no text for 5 s');
    expect(await opened.text(signal)).toBe('A table for two.');
  });

  test('has a stream when the account has a place for it, with all that was said until then', async () => {
    const limit = new AccountLimit('DEEPGRAM_MAX_CONCURRENT', 1);
    const limited = { baseUrl: deepgram.baseUrl, apiKey: deepgram.apiKey, limit };
    const listener = { interim: () => undefined };
    const [first, second] = [1, 2].map(() => new DeepgramRecognizer(limited, options).open(listener));
    if (!first || !second) throw new Error('There are two');
    say(first, speech);
    expect(await first.text(signal)).toBe('A table for two.');
    say(second, speech);
    expect(deepgram.urls).toHaveLength(1);
    const text = second.text(signal);
    first.close();
    expect(await text).toBe('A table for two.');
    expect(deepgram.urls).toHaveLength(2);
    second.close();
  });

  test('ends its stream with the call', async () => {
    open().close();
    const second = open();
    say(second, speech);
    await second.text(signal);
    second.close();
    await until(() => deepgram.closedByClients === 1);
  });
});

test('no more terms are sent than Deepgram takes, and older models get them as keywords', () => {
  const many = Array.from({ length: 100 }, (_, index) => `a rather long product name ${index}`);
  const russian = many.map((_, index) => `довольно длинное название ${index}`);
  for (const terms of [many, russian]) {
    const cut = cutTerms(terms);
    expect(cut).toEqual(terms.slice(0, cut.length));
    expect(cut.length).toBeGreaterThan(20);
    expect(Buffer.byteLength(cut.join(''))).toBeLessThanOrEqual(1_500);
  }
  const listed = (model: string) =>
    new URL(createListenUrl('https://api.deepgram.com', { ...options, model }));
  expect(listed('').searchParams.getAll('keyterm')).toEqual(['Parley']);
  expect(listed('nova-2').searchParams.getAll('keywords')).toEqual(['Parley:1']);
  expect(listed('').protocol).toBe('wss:');
});
