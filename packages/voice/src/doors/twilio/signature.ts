import { createHmac, timingSafeEqual } from 'node:crypto';

/** The text that Twilio signs: the address, then each field of the form with its value, in the order of the names. */
export function computeSignature(authToken: string, url: string, form?: URLSearchParams): string {
  const fields = [...(form ?? [])].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const text = url + fields.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(text).digest('base64');
}

export function isSigned(
  authToken: string,
  url: string,
  form: URLSearchParams | undefined,
  given: unknown,
): boolean {
  const expected = Buffer.from(computeSignature(authToken, url, form));
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
