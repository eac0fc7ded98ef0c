import fc from 'fast-check';
import { getCountries, getCountryCallingCode, isPossiblePhoneNumber } from 'libphonenumber-js';
import { isCertainlyPossible } from './numbering-plans';

const CODES = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
const NON_GEOGRAPHIC = ['800', '808', '870', '878', '881', '882', '883', '888', '979'];
const UNASSIGNED = ['210', '999'];

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });

/** E.164 numbers, and some that are too short. */
const number = fc
  .tuple(fc.constantFrom(...CODES, ...NON_GEOGRAPHIC, ...UNASSIGNED), fc.integer({ min: 1, max: 14 }))
  .chain(([code, length]) => digits(length).map((national) => `+${code}${national}`.slice(0, 16)));

describe('A number', () => {
  test('is never certainly possible where libphonenumber finds it impossible', () =>
    fc.assert(
      fc.property(number, (given) => {
        if (isCertainlyPossible(given)) expect([given, isPossiblePhoneNumber(given)]).toEqual([given, true]);
      }),
      { numRuns: 20_000 },
    ));

  test.each(CODES)(
    'with the code %s is never certainly possible where its first digits make it impossible',
    (code) => {
      for (let length = 1; length + code.length <= 15; length += 1) {
        for (let beginning = 0; beginning < 100; beginning += 1) {
          const given = `+${code}${String(beginning).padStart(2, '0')}2345678901234`.slice(
            0,
            1 + code.length + length,
          );
          if (isCertainlyPossible(given) && !isPossiblePhoneNumber(given)) {
            throw new Error(`${given} is not possible`);
          }
        }
      }
    },
  );

  test.each(['+15551234567', '+4915112345678', '+442071838750', '+81312345678', '+5511987654321'])(
    'such as %s is certainly possible',
    (given) => expect(isCertainlyPossible(given)).toBe(true),
  );
});
