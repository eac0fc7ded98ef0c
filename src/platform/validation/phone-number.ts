import {
  type CountryCode,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js';
// Only these metadata have the numbering plans by which a number is valid, and not only of a possible length.
import { parsePhoneNumberFromString as parseByPlan } from 'libphonenumber-js/max';
import { isCertainlyPossible } from './numbering-plans';
import { quoted, visibleText } from './plain-text';

export const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * The one spelling of a number, by which numbers are stored and compared: a national prefix behind the country's code
 * is left out, also one that is written twice, so that +4402079460958 and +44002079460958 are +442079460958. Invisible
 * characters are left out too.
 * @param text E.164
 * @returns undefined if the number is not E.164, of an impossible length, or can be two with such a prefix; a possible one
 *   need not be in service
 */
export function canonicalNumber(text: string): string | undefined {
  const given = E164.test(text) ? text : visibleText(text);
  if (!E164.test(given)) return undefined;
  if (isCertainlyPossible(given)) return given;
  const number = parsePhoneNumberFromString(given, { extract: false });
  if (!number) return undefined;
  const code = `+${number.countryCallingCode}`;
  const national = given.slice(code.length);
  const valid = parseValid(given);
  if (valid !== undefined) return valid;
  // libphonenumber leaves the zero in numbers of many countries, as of other subscribers that there are not.
  const zeros = /^0*/.exec(national)?.[0].length ?? 0;
  const spellings = Array.from({ length: zeros }, (_, removed) => national.slice(removed + 1));
  // Mexico had a 1 before the numbers of mobiles, with which messengers still show them.
  if (code === '+52') spellings.push(national.replace(/^1/, ''));
  const subscribers = new Set(
    spellings.map((spelling) => parseValid(code + spelling)).filter((found) => found !== undefined),
  );
  if (subscribers.size > 0) return subscribers.size === 1 ? [...subscribers][0] : undefined;
  return number.isPossible() && isOfSubscriber(number, national) && isStable(number)
    ? number.number
    : undefined;
}

/**
 * Whether what libphonenumber has removed can be a prefix. It also removes codes by which people choose a carrier, and
 * with them more than half of some numbers. It moves the mobile prefix of Argentina.
 */
const isOfSubscriber = ({ countryCallingCode, nationalNumber }: PhoneNumber, national: string) =>
  countryCallingCode === '54' ||
  (national.endsWith(nationalNumber) && national.length - nationalNumber.length <= 3);

/** Whether the number would be the same when it is read again. */
const isStable = ({ number }: PhoneNumber) =>
  E164.test(number) && parsePhoneNumberFromString(number, { extract: false })?.number === number;

/** Whether a number is E.164, possible and in its one spelling. */
export const isE164 = (text: string) => canonicalNumber(text) === text;

/**
 * Reads a number as people write it.
 * @param country ISO 3166-1 alpha-2, of numbers without a country's code. Without it, only E.164 is read. A number with a
 *   country's code must be possible; one without, or with 00, must also be valid by its country's numbering plan.
 * @returns the number in its one spelling, or a sentence that says why it is none
 */
export function readNumber(text: string, country?: CountryCode): { number: string } | { problem: string } {
  const number = canonicalNumber(text);
  if (number !== undefined) return { number };
  const written = toPlain(text);
  const reason = findReason(written);
  if (country === undefined) {
    const hidden = visibleText(text) === text ? undefined : 'it has characters that nobody sees';
    return refuse(text, 'is not a possible number in E.164 form, such as +15551234567', reason ?? hidden);
  }
  const refuseNumber = (why?: string) =>
    refuse(text, `is not a possible number of ${country}, nor one in E.164 form`, why);
  if (reason !== undefined) return refuseNumber(reason);
  const [found, other] = readDigits(written, country);
  if (found === undefined)
    return refuseNumber(
      /^[^+]*\d[^+]*$/.test(written) ? "if it exists, write it with + and the country's code" : undefined,
    );
  return other === undefined
    ? { number: found }
    : refuse(text, `is ambiguous: it can be ${found} or ${other}; write it with + and the country's code`);
}

const refuse = (text: string, problem: string, reason?: string) => ({
  problem: `the phone number ${quoted(text)} ${problem}${reason === undefined ? '' : `: ${reason}`}`,
});

/** The Arabic and Persian digits, whose last four bits are their values. */
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;

/** Writes a number with the signs of ASCII, as far as it has others. */
const toPlain = (text: string) =>
  visibleText(text)
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    .trim()
    .replace(/^tel: ?/i, '');

/** The longest text with one number: 15 digits, with a space or a bracket between all of them. */
const MAX_LENGTH = 32;

const EXTENSION = /\d *(?:[,;] *)?(?:ext|x|#|app|poste|int|durchwahl|dw)/i;
const SEPARATOR = /^(?: {1,3}| ?[-./] ?| ?(?:[-./] ?)?\(|\) {0,2}(?:[-./] ?)?|\) ?\()$/;
const BEGINNING = /^(?:\+ ?|\(\+?)$/;

/** The reason why a text is not one number, whatever its digits are: each of these was read as some number. */
function findReason(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined;
  if (text.length > MAX_LENGTH) return 'it is too long for one number';
  if (/^[-+]?\d+(?:[.,]\d*)?e[-+]?\d+$/i.test(text))
    return 'it is a floating-point number, into which a spreadsheet has turned it; format the column as text';
  if (EXTENSION.test(text)) return 'it has an extension';
  const strange = /[^\d+\-./() ]/u.exec(text)?.[0];
  if (strange !== undefined) return `it has ${quoted(strange)}, which a number does not have`;
  if (isDecimal(text)) return 'it is a decimal number, as a spreadsheet writes it; format the column as text';
  if (isDate(text)) return 'it is a date';
  if (text.lastIndexOf('+') > 1 || hasTwoNumbers(text)) return 'it has more than one number';
  return isPunctuated(text) ? undefined : 'its punctuation is not that of one number';
}

/** One dot is a decimal point, unless a national prefix or a country's code comes before it. */
function isDecimal(text: string): boolean {
  const [, before = '', fraction = ''] = /^([^.]*)\.(\d*)$/.exec(text) ?? [];
  if (fraction === '') return text.endsWith('.') || /\.\d$/.test(text);
  return fraction.length < 3 || /^0+$/.test(fraction) || /^(?:0|[1-9]\d*)$/.test(before);
}

function isDate(text: string): boolean {
  const [, first, , second] = /^(\d{1,2})([-./])(\d{1,2})\2(?:(?:19|20)?\d\d)(?: .*)?$/.exec(text) ?? [];
  const isDayAndMonth = (day: number, month: number) => day >= 1 && day <= 31 && month >= 1 && month <= 12;
  const [one, other] = [Number(first), Number(second)];
  return (
    isDayAndMonth(one, other) ||
    isDayAndMonth(other, one) ||
    /^(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?(?: .*)?$/.test(text)
  );
}

/**
 * A slash is behind the area code. Otherwise it separates two numbers, or the ends of two numbers, as a hyphen before one
 * digit does; a last 0 is a switchboard.
 */
function hasTwoNumbers(text: string): boolean {
  if (/- ?[1-9]$/.test(text)) return true;
  const [before = '', after, other] = text.split('/').map((part) => part.replace(/\D/g, ''));
  if (after === undefined) return false;
  const longest = text.startsWith('00') || text.includes('+') ? 9 : text.startsWith('0') ? 6 : 4;
  return other !== undefined || before.length > longest || after.length < 4;
}

/** Whether the signs are before the number and single between its digits, and the brackets enclose a code. */
function isPunctuated(text: string): boolean {
  const parts = text.split(/(\d+)/);
  const signs = parts.filter((_, index) => index % 2 === 0);
  const [beginning = '', ...others] = signs;
  const end = others.pop();
  return (
    (beginning === '' || BEGINNING.test(beginning)) &&
    end === '' &&
    others.every((sign) => SEPARATOR.test(sign)) &&
    /^(?:\(\+?\d{1,6}\)|[^()])*$/.test(text) &&
    (text.match(/\(/g)?.length ?? 0) <= 2
  );
}

/**
 * The numbers that a text can mean in a country: libphonenumber alone reads 491712345678 as a landline of the area 04917.
 * @param text one number by its punctuation
 */
function readDigits(text: string, country: CountryCode): string[] {
  const digits = text.replace(/\D/g, '');
  const readings = text.includes('+')
    ? [canonicalNumber(`+${digits}`)]
    : [
        parseValid(digits, country),
        digits.startsWith(getCountryCallingCode(country)) ? parseValid(`+${digits}`) : undefined,
        digits.startsWith('00') ? parseValid(`+${digits.slice(2)}`) : undefined,
      ];
  return [...new Set(readings.filter((reading) => reading !== undefined))];
}

function parseValid(digits: string, defaultCountry?: CountryCode): string | undefined {
  const found = parseByPlan(digits, { defaultCountry, extract: false });
  if (!found?.isValid() || !E164.test(found.number)) return undefined;
  const national = digits.startsWith('+') ? digits.slice(1 + found.countryCallingCode.length) : digits;
  return isOfSubscriber(found, national) ? found.number : undefined;
}
