import { jsonBytes } from './json-bytes';

describe('jsonBytes', () => {
  test.each([
    [{ a: [1, -2.5, null, 'ü'] }, 24],
    [undefined, 0],
    [1e21, 22],
    [-1e21, 23],
    [1.5e308, 309],
    [5e-7, 9],
    [-1.25e-7, 12],
    [[1e308, 1e308], 621],
  ])('counts the numbers of %j as Postgres prints them', (value, bytes) => {
    expect(jsonBytes(value)).toBe(bytes);
  });
});
