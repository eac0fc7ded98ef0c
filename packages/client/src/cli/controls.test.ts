import { showControls, toSafeJson } from './controls';

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

  test('is the same value in JSON, without a control character', () => {
    const value = { name: `${RED}\u009b\u202e"\n` };
    const json = toSafeJson(value);
    expect(json).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});
