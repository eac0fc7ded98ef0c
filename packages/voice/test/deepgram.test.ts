import { until } from '../../../test/support/until';
import { DeepgramRecognizer } from '../src/speech/deepgram/deepgram-recognizer';
import { createListenUrl, cutTerms } from '../src/speech/deepgram/listen-url';
import type { Recognition } from '../src/speech/speech';
import { DeepgramStandIn } from './stand-ins/deepgram/deepgram-stand-in';
import { isLive, liveSetting } from './support/live';

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

describe('The recogniser of Deepgram', () => {
  let deepgram: DeepgramStandIn;
  let interims: string[];
  let recognition: Recognition | undefined;
  beforeEach(async () => {
    deepgram = await DeepgramStandIn.listen();
    interims = [];
  });
  afterEach(() => {
    recognition?.close();
    deepgram.close();
    expect(deepgram.complaints).toEqual([]);
  });
  const open = (more: Partial<typeof options> = {}, apiKey = deepgram.apiKey) =>
    (recognition = new DeepgramRecognizer(
      { baseUrl: deepgram.baseUrl, apiKey },
      { ...options, ...more },
    ).open({
      interim: (text) => void interims.push(text),
    }));

  test('hears one utterance after the other over one stream, and what was said so far', async () => {
    deepgram.texts = ['A table for two.', 'On Friday.'];
    const opened = open();
    say(opened, speech);
    expect(await opened.text(signal)).toBe('A table for two.');
    expect(interims).toContain('A table');
    opened.next();
    say(opened, speech);
    expect(await opened.text(signal)).toBe('On Friday.');
    expect(deepgram.urls).toHaveLength(1);
    expect(opened.seconds).toBeCloseTo(2, 1);
    expect(deepgram.seconds).toBeCloseTo(2, 1);
  });

  test('adds what is said after a pause to the utterance', async () => {
    deepgram.texts = ['A table', 'for two.'];
    const opened = open();
    say(opened, speech);
    expect(await opened.text(signal)).toBe('A table');
    say(opened, speech);
    expect(await opened.text(signal)).toBe('A table for two.');
  });

  test('hears nothing in silence, and asks for nothing if nothing was said', async () => {
    const opened = open();
    expect(await opened.text(signal)).toBe('');
    say(opened, new Int16Array(RATE));
    expect(await opened.text(signal)).toBe('');
  });

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

  test('says that a key or a model is wrong, and never the key', async () => {
    const opened = open({}, 'wrong-key');
    say(opened, speech);
    await expect(opened.text(signal)).rejects.toThrow(/^Deepgram answered 401: Invalid credentials\.$/);
    opened.close();
    const other = open({ model: 'nova-9' });
    say(other, speech);
    await expect(other.text(signal)).rejects.toThrow('Deepgram answered 400: No such model');
  });

  test('waits for a text for 5 s at most', async () => {
    deepgram.faults.push({ isSilent: true });
    const opened = open();
    say(opened, speech);
    await expect(opened.text(signal)).rejects.toThrow('Deepgram sent no text for 5 s');
    expect(await opened.text(signal)).toBe('A table for two.');
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
  expect(cutTerms(many).join('').length).toBeLessThanOrEqual(1_500);
  const listed = (model: string) =>
    new URL(createListenUrl('https://api.deepgram.com', { ...options, model }));
  expect(listed('').searchParams.getAll('keyterm')).toEqual(['Parley']);
  expect(listed('nova-2').searchParams.getAll('keywords')).toEqual(['Parley:1']);
  expect(listed('').protocol).toBe('wss:');
});

(isLive('deepgram') ? test : test.skip)('Deepgram itself hears silence as nothing', async () => {
  const account = { baseUrl: 'https://api.deepgram.com', apiKey: liveSetting('DEEPGRAM_API_KEY') };
  const opened = new DeepgramRecognizer(account, options).open({ interim: () => undefined });
  say(opened, new Int16Array(RATE));
  expect(await opened.text(signal)).toBe('');
  opened.close();
});
