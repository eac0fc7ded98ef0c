import fc from 'fast-check';
import { type CountryCode, getCountries, getCountryCallingCode, type PhoneNumber } from 'libphonenumber-js';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import { canonicalNumber, E164, isE164, readNumber } from './phone-number';

const COUNTRIES: CountryCode[] = [
  ...(['DE', 'GB', 'US', 'FR', 'IN', 'BR', 'IT', 'ES', 'NL', 'AT'] as const),
  ...(['CH', 'PL', 'RU', 'MX', 'AR', 'JP', 'AU', 'ZA', 'TR', 'KE'] as const),
];

/** The patterns of a country's types of numbers, such as landlines and mobiles. */
const typesOf = (country: CountryCode) =>
  (metadata.countries[country][11] as ([string] | 0)[]).flatMap((type) => (type && type[0] ? [type[0]] : []));

/** Valid numbers, of each type that a country has. */
const validNumbers = (country: CountryCode) =>
  fc
    .oneof(...typesOf(country).map((pattern) => fc.stringMatching(new RegExp(`^(?:${pattern})$`))))
    .map((digits) => `+${getCountryCallingCode(country)}${digits}`)
    .filter((number) => E164.test(number))
    .map((number) => parsePhoneNumberFromString(number, { extract: false }) as PhoneNumber)
    .filter((found) => found?.isValid());

const isRead = (text: string, country?: CountryCode) => 'number' in readNumber(text, country);

describe('A phone number', () => {
  test.each([
    '+15551234567',
    '+4915112345678',
    '+442071838750',
    '+81312345678',
    '+5511987654321',
    '+6421123456',
  ])('may be %s', (number) => expect(isE164(number)).toBe(true));

  test.each([
    '',
    '+',
    '15551234567',
    '0015551234567',
    '+05551234567',
    '+1555123456',
    '+155512345678',
    '+1555123456789012',
    '+999123456789',
    '+1 555 123 4567',
    '+1-555-123-4567',
    '+1555CALLNOW',
    '+15551234567 ',
    '+15551234567\n',
    'tel:+15551234567',
    '+15551234567;ext=5',
  ])('may not be %j', (number) => expect(isE164(number)).toBe(false));

  test.each([
    ['+4402079460958', '+442079460958'],
    ['+4901712345678', '+491712345678'],
    ['+112125550101', '+12125550101'],
    ['+789123456789', '+79123456789'],
    ['+390612345678', '+390612345678'],
    ['+54111523\u200b456789', '+5491123456789'],
  ])('written %s is the subscriber %s', (text, number) => expect(canonicalNumber(text)).toBe(number));

  test.each([
    ['+490015123456789', '+4915123456789'],
    ['+8100312345678', '+81312345678'],
    ['+6200812345678', '+62812345678'],
    ['+90005012345678', '+905012345678'],
    ['+5703211234567', '+573211234567'],
    ['+3002343740005', '+302343740005'],
    ['+4200494000566', '+420494000566'],
    ['+3520628123456', '+352628123456'],
    ['+3903331234567', '+393331234567'],
    ['+5215512345678', '+525512345678'],
    ['+2250712345678', '+2250712345678'],
  ])('written %s is the subscriber %s', (text, number) => expect(canonicalNumber(text)).toBe(number));

  test.each(['+86113123456789', '+35215628123456'])('written %s has no code of a carrier in it', (text) =>
    expect([undefined, text]).toContain(canonicalNumber(text)),
  );

  test('with the code of a carrier is not read as what follows it', () =>
    expect(readNumber('15628123456', 'LU')).toEqual({ problem: expect.any(String) as string }));

  test('has one spelling with zeros behind the code of its country, or is the number of another one', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...getCountries()).chain(validNumbers),
        fc.constantFrom('0', '00', '000'),
        ({ countryCallingCode, nationalNumber, number }, zeros) => {
          const text = `+${countryCallingCode}${zeros}${nationalNumber}`;
          const isOther = parsePhoneNumberFromString(text, { extract: false })?.isValid() === true;
          fc.pre(E164.test(text) && !isOther);
          expect([number, undefined]).toContain(canonicalNumber(text));
        },
      ),
      { numRuns: 3_000 },
    ));

  test('has one spelling, which is read as itself', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...COUNTRIES).chain(validNumbers),
        fc.constantFrom('', '0', '1', '8', '06', '00', '000', '0015', '11', '88'),
        ({ countryCallingCode, nationalNumber }, prefix) => {
          const number = canonicalNumber(`+${countryCallingCode}${prefix}${nationalNumber}`);
          if (number !== undefined) expect(canonicalNumber(number)).toBe(number);
        },
      ),
      { numRuns: 500 },
    ));
});

describe('A written number', () => {
  describe.each(COUNTRIES)('of %s', (country) => {
    test('is read in every spelling with the code of the country', () =>
      fc.assert(
        fc.property(validNumbers(country), (found) => {
          const { number } = found;
          const code = `+${found.countryCallingCode}`;
          const international = found.formatInternational();
          const spellings = [
            number,
            international,
            found.getURI(),
            international.replaceAll(' ', '-'),
            international.replaceAll(' ', '\u00a0'),
            international.replace(code, `(${code})`),
          ];
          expect(spellings.map((text) => [text, readNumber(text, country)])).toEqual(
            spellings.map((text) => [text, { number }]),
          );
        }),
        { numRuns: 40 },
      ));

    test('is read as people of the country write it, or is ambiguous', () =>
      fc.assert(
        fc.property(validNumbers(country), (found) => {
          const { number } = found;
          const national = found.formatNational();
          const digits = national.replace(/\D/g, '');
          const spellings = [
            national,
            digits,
            national.replaceAll(' ', '-'),
            number.slice(1),
            `00${number.slice(1)}`,
            found.formatInternational().replace('+', '00'),
          ];
          for (const text of spellings) {
            const read = readNumber(text, country);
            if ('problem' in read && / is ambiguous: it can be /.test(read.problem))
              expect(read.problem).toContain(number);
            else expect([text, read]).toEqual([text, { number }]);
          }
        }),
        { numRuns: 40 },
      ));
  });

  const HOSTILE = [
    (digits: string) => `${digits}.0`,
    (digits: string) => `${digits}.00`,
    (digits: string) => `${digits},0`,
    (digits: string) => `${digits[0]}.${digits.slice(1)}E9`,
    (digits: string) => `${digits[0]},${digits.slice(1)}e+09`,
    (digits: string) => `${digits.slice(0, 4)}.${digits.slice(4)}`,
    (digits: string) => `-${digits}`,
    (digits: string) => `${digits} / ${digits}`,
    (digits: string) => `+${digits}.0`,
    (digits: string) => `${digits}+${digits.slice(4)}`,
    (digits: string) => `0${digits} ext. 7`,
  ];
  const NATIONAL = {
    DE: '1712345678',
    GB: '7911123456',
    US: '2125550101',
    FR: '612345678',
    IN: '9876543210',
  };

  test.each(
    HOSTILE.flatMap((spoil) =>
      Object.entries(NATIONAL).map(([country, digits]) => [spoil(digits), country as CountryCode] as const),
    ),
  )('is not read from the cell %j of %s, and the refusal names the reason', (cell, country) => {
    expect(isRead(cell)).toBe(false);
    expect(readNumber(cell, country)).toEqual({
      problem: expect.stringMatching(/: (it is a|it has|its punctuation|if it exists)/) as unknown,
    });
  });

  test.each([
    '12.05.1985',
    '2026-05',
    '5.12.1985 0171',
    '1985-05-12',
    '12/05/85',
    '12',
    '',
    '0171 2345678/9',
    '0171 2345678-9',
    '030/1234567/8',
  ])('is not read from %j', (cell) =>
    expect([isRead(cell, 'DE'), isRead(cell, 'US')]).toEqual([false, false]),
  );

  test('that begins with the code of its country and is two numbers is ambiguous', () => {
    expect(readNumber('491712345678', 'DE')).toEqual({
      problem:
        'the phone number "491712345678" is ambiguous: it can be +49491712345678 or +491712345678; write it with + ' +
        "and the country's code",
    });
    expect(readNumber('393331234567', 'IT')).toEqual({ number: '+393331234567' });
    expect(readNumber('3912345678', 'IT')).toEqual({ number: '+393912345678' });
  });

  const MARKS = [...'\u200b\u200e\u200f\u202a\u202c\u2060\u2066\u00ad\ufeff\u034f\u180e'];

  test.each(MARKS.flatMap((mark) => [0, 1, 5, 9, 12].map((at) => [mark, at] as const)))(
    'has the mark %j at %d, which nobody sees, and is the same',
    (mark, at) => {
      const number = '+15551234567';
      const text = number.slice(0, at) + mark + number.slice(at);
      expect([readNumber(text), readNumber(text, 'DE')]).toEqual([{ number }, { number }]);
    },
  );

  test('that is refused shows what nobody sees', () => {
    expect(readNumber('\u202a12\u202c')).toEqual({
      problem:
        'the phone number "[U+202A]12[U+202C]" is not a possible number in E.164 form, such as +15551234567: it has ' +
        'characters that nobody sees',
    });
  });
});
