import { TimedSpeech } from './timed-speech';

const RATE = 16_000;
/** A letter takes 10 ms, which are 160 samples. */
const LETTER = 160;

/** The line for these letters of a text. */
function line(text: string, from: number, to: number, base = from): string {
  const characters = [...text.slice(from, to)];
  const starts = characters.map((_, index) => (base + index) / 100);
  const audio = Buffer.alloc((to - from) * LETTER * 2, 1).toString('base64');
  const alignment = { characters, character_start_times_seconds: starts };
  return `${JSON.stringify({ audio_base64: audio, alignment })}\n`;
}

/** @returns for each part its length and the place in the text, both in letters */
function read(text: string, lines: readonly string[], { isCut = false } = {}) {
  const speech = new TimedSpeech(text, RATE);
  const parts = lines.flatMap((each) => [...speech.push(Buffer.from(each))]);
  const rest = isCut ? [] : [...speech.flush()];
  return [...parts, ...rest].map(({ samples, letters }) => [samples.length / LETTER, letters]);
}

const TEXT = 'We have a table.';

test('the sound ends with a whole word, and all of it comes in the end', () => {
  const lines = [line(TEXT, 0, 5), line(TEXT, 5, 9), line(TEXT, 9, 16)];
  // The sound of a word ends where that of the space behind it begins.
  expect(read(TEXT, lines)).toEqual([
    [2, 3],
    [5, 8],
    [2, 10],
    [7, 16],
  ]);
  expect(read(TEXT, lines.slice(0, 2), { isCut: true })).toEqual([
    [2, 3],
    [5, 8],
  ]);
});

test('in a script without spaces, the sound ends with any letter', () => {
  const text = '窓際の席です。';
  const lines = [line(text, 0, 4), line(text, 4, 7)];
  // A full stop goes with the letter before it.
  expect(read(text, lines)).toEqual([
    [3, 3],
    [2, 5],
    [2, 7],
  ]);
  expect(read(text, lines.slice(0, 1), { isCut: true })).toEqual([[3, 3]]);
});

test('times may count from the beginning of each part', () => {
  expect(read(TEXT, [line(TEXT, 0, 5), line(TEXT, 5, 16, 0)])).toEqual([
    [2, 3],
    [7, 10],
    [7, 16],
  ]);
});

test('lines may be cut anywhere', () => {
  const bytes = line(TEXT, 0, 16);
  const pieces = bytes.match(/[\s\S]{1,7}/g) ?? [];
  expect(read(TEXT, pieces)).toEqual([
    [9, 10],
    [7, 16],
  ]);
});

test('audio without times is passed on at once, and does not say where it ends', () => {
  const audio = Buffer.alloc(4 * LETTER * 2).toString('base64');
  expect(read(TEXT, [`${JSON.stringify({ audio_base64: audio, alignment: null })}\n`])).toEqual([
    [4, undefined],
  ]);
});

test.each(['<html>502</html>\n', '{"detail":{"status":"error"}}\n', 'x'.repeat(1_100_000)])(
  'what makes no sense is an error',
  (sent) => {
    expect(() => read(TEXT, [sent])).toThrow('ElevenLabs sent');
  },
);
