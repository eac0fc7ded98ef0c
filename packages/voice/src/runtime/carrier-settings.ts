import { str } from 'envalid';
import type { AsteriskSettings } from '../doors/asterisk/asterisk-door';
import type { TelnyxSettings } from '../doors/telnyx/telnyx-door';
import { readPublicKey } from '../doors/telnyx/webhook-signature';
import type { TwilioSettings } from '../doors/twilio/twilio-door';
import {
  type Environment,
  httpAddress,
  oneOf,
  readEnvironment,
  readSecret,
  SettingsError,
  withoutSlash,
} from './environment';

const text = str({ default: undefined });

/** The settings of all carriers. {@link readCarrier} checks those of the chosen one further. */
export const CARRIER_SETTINGS = {
  VOICE_CARRIER: oneOf('line', 'twilio', 'telnyx', 'asterisk')({ default: undefined }),
  VOICE_SPEECH: oneOf('carrier')({ default: undefined }),
  TWILIO_ACCOUNT_SID: text,
  TWILIO_AUTH_TOKEN: text,
  TWILIO_NUMBER: text,
  TWILIO_API_URL: httpAddress({ default: 'https://api.twilio.com' }),
  TELNYX_API_KEY: text,
  TELNYX_CONNECTION_ID: text,
  TELNYX_PUBLIC_KEY: text,
  TELNYX_NUMBER: text,
  TELNYX_API_URL: httpAddress({ default: 'https://api.telnyx.com' }),
  ASTERISK_URL: httpAddress({ default: undefined }),
  ASTERISK_USERNAME: text,
  ASTERISK_PASSWORD: text,
  ASTERISK_ENDPOINT: text,
  ASTERISK_NUMBER: text,
  ASTERISK_APP: str({ default: 'parley' }),
  ASTERISK_WEBSOCKET_CLIENT: str({ default: 'parley' }),
  ASTERISK_TRANSFER_CONTEXT: str({ default: 'parley-transfer' }),
};

type Address = 'publicUrl' | 'processPath' | 'holder' | 'peers';

/** The carrier of phone calls. `line`: the one on this machine. */
export type CarrierSettings =
  | { name: 'line' }
  | ({ name: 'twilio' } & Omit<TwilioSettings, Address>)
  | ({ name: 'telnyx' } & Omit<TelnyxSettings, Address>)
  | ({ name: 'asterisk' } & Omit<AsteriskSettings, 'processName'>);

const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Twilio and Telnyx are told where they reach this process. The others know it.
 * @param setting the name of the setting that has the address
 * @throws SettingsError if there is none, or one that the carrier cannot reach
 */
export function assertReachable(
  carrier: CarrierSettings,
  setting: string,
  address: string | undefined,
): void {
  if (carrier.name !== 'twilio' && carrier.name !== 'telnyx') return;
  if (!address)
    throw new SettingsError(
      `${setting} is needed with VOICE_CARRIER=${carrier.name}: the carrier reaches this process there.`,
    );
  const isLocal = (url: string) => LOCAL.test(new URL(url).hostname);
  // The stand-in of a carrier may be on this machine, too.
  if (isLocal(address) && !isLocal(carrier.apiUrl))
    throw new SettingsError(
      `${setting} is ${address}, which VOICE_CARRIER=${carrier.name} cannot reach. It must be an address in the internet, such as https://voice.example.com.`,
    );
}

/** @throws SettingsError with a sentence that says what would be right */
export function readCarrier(env: Environment): CarrierSettings | undefined {
  const settings = readEnvironment(CARRIER_SETTINGS, env);
  const speaks = settings.VOICE_SPEECH === 'carrier';
  switch (settings.VOICE_CARRIER) {
    case undefined:
      return undefined;
    case 'line':
      return { name: 'line' };
    case 'twilio':
      return {
        name: 'twilio',
        apiUrl: withoutSlash(settings.TWILIO_API_URL),
        accountSid: needed(env, 'TWILIO_ACCOUNT_SID', /^AC[\w-]+$/, 'begins with AC'),
        authToken: neededSecret(env, 'TWILIO_AUTH_TOKEN'),
        number: neededNumber(env, 'TWILIO_NUMBER'),
        speaks,
      };
    case 'telnyx':
      assertNoSpeech(speaks);
      return {
        name: 'telnyx',
        apiUrl: withoutSlash(settings.TELNYX_API_URL),
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
    case 'asterisk':
      assertNoSpeech(speaks);
      return {
        name: 'asterisk',
        apiUrl: withoutSlash(needed(env, 'ASTERISK_URL', /./, 'is such as http://pbx.example.com:8088')),
        username: needed(env, 'ASTERISK_USERNAME', /./, 'is a user of ari.conf'),
        password: neededSecret(env, 'ASTERISK_PASSWORD'),
        app: settings.ASTERISK_APP,
        endpoint: needed(
          env,
          'ASTERISK_ENDPOINT',
          /^[\w-]+\/.*\{number\}/,
          'is a channel with a number, such as PJSIP/{number}@trunk',
        ),
        websocketClient: settings.ASTERISK_WEBSOCKET_CLIENT,
        transferContext: settings.ASTERISK_TRANSFER_CONTEXT,
        number: neededNumber(env, 'ASTERISK_NUMBER'),
      };
  }
}

function assertNoSpeech(speaks: boolean): void {
  if (speaks) throw new SettingsError('VOICE_SPEECH=carrier needs VOICE_CARRIER=twilio.');
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
