import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../same-secret';

/** The parts of an address: up to its host, its port, and the rest. */
const ADDRESS = /^((?:http|ws)(s?):\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*))(:\d+)?(.*)$/;

/** The text that Twilio signs: the address, then each field of the form with its value, in the order of the names. */
export function computeSignature(authToken: string, url: string, form?: URLSearchParams): string {
  const fields = [...(form ?? [])].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const text = url + fields.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(text).digest('base64');
}

/** Whether Twilio has signed this address, with its port or without it. Twilio's own libraries accept both. */
export function isSigned(
  authToken: string,
  url: string,
  form: URLSearchParams | undefined,
  given: unknown,
): boolean {
  const isSame = addressesOf(url).map((each) => isSameSecret(given, computeSignature(authToken, each, form)));
  return isSame.includes(true);
}

/** An address without its port, and with it. The port of an address that has none is that of its protocol. */
function addressesOf(url: string): string[] {
  const [, host = url, secure = '', port = secure ? ':443' : ':80', rest = ''] = ADDRESS.exec(url) ?? [];
  return [`${host}${rest}`, `${host}${port}${rest}`];
}
