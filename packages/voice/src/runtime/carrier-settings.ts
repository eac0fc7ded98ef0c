import type { AsteriskSettings } from '../doors/asterisk/asterisk-door';
import type { TelnyxSettings } from '../doors/telnyx/telnyx-door';
import { readPublicKey } from '../doors/telnyx/webhook-signature';
import type { TwilioSettings } from '../doors/twilio/twilio-door';
import { type Environment, httpUrl, readSecret, SettingsError } from './environment';

type Address = 'publicUrl' | 'processPath' | 'holder' | 'peers';

/** The carrier of phone calls. `line`: the one on this machine. */
export type CarrierSettings =
  | { name: 'line' }
  | ({ name: 'twilio' } & Omit<TwilioSettings, Address>)
  | ({ name: 'telnyx' } & Omit<TelnyxSettings, Address>)
  | ({ name: 'asterisk' } & Omit<AsteriskSettings, 'processName'>);

const NAMES = ['line', 'twilio', 'telnyx', 'asterisk'];

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
        speaks: readSpeaks(env),
      };
    case 'telnyx':
      assertNoSpeech(env);
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
    case 'asterisk':
      assertNoSpeech(env);
      return {
        name: 'asterisk',
        apiUrl: httpUrl(env, 'ASTERISK_URL'),
        username: needed(env, 'ASTERISK_USERNAME', /./, 'is a user of ari.conf'),
        password: neededSecret(env, 'ASTERISK_PASSWORD'),
        app: env.ASTERISK_APP || 'parley',
        endpoint: needed(
          env,
          'ASTERISK_ENDPOINT',
          /^[\w-]+\/.*\{number\}/,
          'is a channel with a number, such as PJSIP/{number}@trunk',
        ),
        websocketClient: env.ASTERISK_WEBSOCKET_CLIENT || 'parley',
        transferContext: env.ASTERISK_TRANSFER_CONTEXT || 'parley-transfer',
        number: neededNumber(env, 'ASTERISK_NUMBER'),
      };
    default:
      throw new SettingsError(`VOICE_CARRIER must be one of ${NAMES.join(', ')}, or not set.`);
  }
}

function assertNoSpeech(env: Environment): void {
  if (readSpeaks(env)) throw new SettingsError('VOICE_SPEECH=carrier needs VOICE_CARRIER=twilio.');
}

/** Whether the carrier hears and speaks. */
function readSpeaks({ VOICE_SPEECH: who }: Environment): boolean {
  if (who === undefined || who === '' || who === 'carrier') return who === 'carrier';
  throw new SettingsError('VOICE_SPEECH must be carrier, or not set.');
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
