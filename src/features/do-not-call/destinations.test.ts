import { isAllowedDestination } from './destinations';

describe('A destination', () => {
  const isAllowed = (number: string, allowed: string[], denied: string[]) =>
    isAllowedDestination(number, { allowed, denied });

  test('is allowed where no prefix matches', () => {
    expect(isAllowed('+4915112345678', [], [])).toBe(true);
    expect(isAllowed('+4915112345678', [], ['1', '491511234567890'])).toBe(true);
  });

  test('that matches a denied prefix is not allowed, and any other is', () => {
    expect(isAllowed('+881612345678', [], ['870', '881'])).toBe(false);
    expect(isAllowed('+818812345678', [], ['870', '881'])).toBe(true);
  });

  test('must match an allowed prefix where there are any', () => {
    expect(isAllowed('+4915112345678', ['49', '43'], [])).toBe(true);
    expect(isAllowed('+15551234567', ['49', '43'], [])).toBe(false);
    expect(isAllowed('+15551234567', ['49', '43'], ['870'])).toBe(false);
  });

  test.each([
    ['a longer denied prefix denies', ['49'], ['49900'], false],
    ['a longer allowed prefix allows', ['49900'], ['49'], true],
    ['of two that are equally long the denied one decides', ['49900'], ['49900'], false],
    ['the longest of several decides', ['49', '499001'], ['49900'], true],
    ['the order of the prefixes does not matter', ['499001', '49'], ['49900', '4'], true],
    ['the whole number is a prefix of itself', [], ['4990012345678'], false],
  ])('is decided by its longest prefix: %s', (_, allowed, denied, expected) => {
    expect(isAllowed('+4990012345678', allowed, denied)).toBe(expected);
  });
});
