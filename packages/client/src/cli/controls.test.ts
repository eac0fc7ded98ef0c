import { Readable } from 'node:stream';
import { showControls, showLines, toSafeJson } from './controls';

const RED = '\u001b[31m';

describe('A text of the API on a terminal', () => {
  test.each([
    [`${RED}red`, '\\x1b[31mred'],
    ['one\r\ntwo\tthree', 'one\\r\\ntwo\\tthree'],
    ['\u009b31m and \u007f', '\\x9b31m and \\x7f'],
    ['a\u202ecod.exe', 'a\\u202ecod.exe'],
    ['Zoë 🙂 نص', 'Zoë 🙂 نص'],
  ])('shows control characters as escapes: %j', (text, shown) => {
    expect(showControls(text)).toBe(shown);
  });

  test.each([1, 2, 3, 100])('has its own lines, in parts of %s bytes', async (size) => {
    const bytes = Buffer.from(`a,Zoë\r\nb,${RED}\n🙂\r`);
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    let shown = '';
    for await (const text of showLines(Readable.from(parts))) shown += text;
    expect(shown).toBe('a,Zoë\nb,\\x1b[31m\n🙂\\r');
  });

  test('ends with a sign for bytes that are missing', async () => {
    let shown = '';
    for await (const text of showLines(Readable.from([Buffer.from('Zoë').subarray(0, -1)]))) shown += text;
    expect(shown).toBe('Zo\ufffd');
  });

  test('is the same value in JSON, without a control character', () => {
    const value = { name: `${RED}\u009b\u202e"\n` };
    const json = toSafeJson(value);
    expect(json).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});
