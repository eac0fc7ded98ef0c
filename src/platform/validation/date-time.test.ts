import { parseDateTime } from './date-time';
import { isStorableText } from './storable';

describe('A date-time', () => {
  test.each([
    ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00+05:30', '2026-01-31T04:00:00.000Z'],
    ['2026-01-31T09:30:00-0800', '2026-01-31T17:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('may be written %s', (text, moment) => {
    expect(parseDateTime(text)?.toISOString()).toBe(moment);
  });

  test('without a zone is UTC', () => {
    expect(parseDateTime('2026-01-31T09:30:00')?.toISOString()).toBe('2026-01-31T09:30:00.000Z');
    expect(parseDateTime('2026-01-31T09:30')?.toISOString()).toBe('2026-01-31T09:30:00.000Z');
  });

  test('without a time is its first moment, or as an upper bound its last', () => {
    expect(parseDateTime('2026-01-31')?.toISOString()).toBe('2026-01-31T00:00:00.000Z');
    expect(parseDateTime('2026-01-31', true)?.toISOString()).toBe('2026-01-31T23:59:59.999Z');
    expect(parseDateTime('2026-01-31T09:30:00Z', true)?.toISOString()).toBe('2026-01-31T09:30:00.000Z');
  });

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-01',
    '2026-1-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '2026-02-30',
    '2025-02-29',
    '2026-02-30T00:00:00Z',
    '2026-01-31T24:30:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:61Z',
    '2026-01-31T9:30Z',
    '2026-01-31 09:30:00',
    '2026-01-31T09:30:00+5',
    '2026-01-31T09:30:00+25:00',
    '2026-01-31T09:30:00Z ',
    '2026-01-31\n',
    '0000-01-01',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+010000-01-01T00:00:00Z',
    '1767225600000',
  ])('may not be written %j', (text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });
});

test('Text is storable unless it has a NUL or half of a surrogate pair', () => {
  expect(['', 'a', '😀', '\u0001', '\uFFFF'].filter(isStorableText)).toHaveLength(5);
  expect(['\0', 'a\0b', '\uD83D', 'a\uDE00'].filter(isStorableText)).toEqual([]);
});
