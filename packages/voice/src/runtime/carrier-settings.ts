import type { TelnyxSettings } from '../doors/telnyx/telnyx-door';
import { readPublicKey } from '../doors/telnyx/webhook-signature';
import type { TwilioSettings } from '../doors/twilio/twilio-door';
import { type Environment, httpUrl, readSecret, SettingsError } from './environment';

type Address = 'publicUrl' | 'processPath';

/** The carrier of phone calls. `line`: the one on this machine. */
export type CarrierSettings =
  | { name: 'line' }
  | ({ name: 'twilio' } & Omit<TwilioSettings, Address>)
  | ({ name: 'telnyx' } & Omit<TelnyxSettings, Address>);

const NAMES = ['line', 'twilio', 'telnyx'];

/** @throws SettingsError with a sentence that says what would be right */
export function readCarrier(env: Environment): CarrierSettings | undefined {
  switch (env.VOICE_CARRIER) {
    case undefined:
    case '':
      return undefined;
    case 'line':
      return { name: 'line' };
    case 'twilio':
      return {
        name: 'twilio',
        apiUrl: httpUrl(env, 'TWILIO_API_URL', 'https://api.twilio.com'),
        accountSid: needed(env, 'TWILIO_ACCOUNT_SID', /^AC[\w-]+$/, 'begins with AC'),
        authToken: neededSecret(env, 'TWILIO_AUTH_TOKEN'),
        number: neededNumber(env, 'TWILIO_NUMBER'),
      };
    case 'telnyx':
      return {
        name: 'telnyx',
        apiUrl: httpUrl(env, 'TELNYX_API_URL', 'https://api.telnyx.com'),
        apiKey: neededSecret(env, 'TELNYX_API_KEY'),
        connectionId: needed(
          env,
          'TELNYX_CONNECTION_ID',
          /^[\w-]+$/,
          'is the id of the Voice API application',
        ),
        publicKey: neededKey(env, 'TELNYX_PUBLIC_KEY'),
        number: neededNumber(env, 'TELNYX_NUMBER'),
      };
    default:
      throw new SettingsError(`VOICE_CARRIER must be one of ${NAMES.join(', ')}, or not set.`);
  }
}

function needed(env: Environment, name: string, pattern: RegExp, what: string): string {
  const value = env[name] ?? '';
  if (pattern.test(value)) return value;
  throw new SettingsError(`${name} is needed with VOICE_CARRIER=${env.VOICE_CARRIER}, and ${what}.`);
}

const neededNumber = (env: Environment, name: string) =>
  needed(env, name, /^\+[1-9]\d{6,14}$/, 'is a number such as +15551234567');

function neededSecret(env: Environment, name: string): string {
  const secret = readSecret(env, name);
  if (secret !== '') return secret;
  throw new SettingsError(`${name} or ${name}_FILE is needed with VOICE_CARRIER=${env.VOICE_CARRIER}.`);
}

function neededKey(env: Environment, name: string): string {
  const key = env[name] ?? '';
  if (readPublicKey(key)) return key;
  throw new SettingsError(`${name} is needed with VOICE_CARRIER=telnyx, and is a key of 32 bytes in Base64.`);
}
