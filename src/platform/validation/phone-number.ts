import { type CountryCode, isPossiblePhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js';
import { isCertainlyPossible } from './numbering-plans';

export const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether it is E.164 and has a possible length for its country; not whether the number is in service. */
export const isE164 = (text: string) =>
  E164.test(text) && (isCertainlyPossible(text) || isPossiblePhoneNumber(text));

/**
 * Reads a number as people write it in a country: with spaces, brackets, `00` or without the country's code.
 * @param country ISO 3166-1 alpha-2
 * @returns the number in E.164, undefined if it is not a possible number or has an extension
 */
export function toE164(text: string, country: CountryCode): string | undefined {
  if (isE164(text)) return text;
  return (
    readNumber(text, country) ??
    (text.startsWith('00') ? readNumber(`+${text.slice(2)}`, country) : undefined)
  );
}

function readNumber(text: string, defaultCountry: CountryCode): string | undefined {
  const found = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return found?.isPossible() && !found.ext ? found.number : undefined;
}
