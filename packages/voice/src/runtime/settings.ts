import type { SpeechAccounts } from '../speech/services';
import { assertReachable, type CarrierSettings, readCarrier } from './carrier-settings';
import {
  type Environment,
  httpUrl,
  integer,
  isHttp,
  readSecret,
  SettingsError,
  webSocketUrl,
} from './environment';
import { readSpeech } from './speech-settings';

export { SettingsError } from './environment';

/** The settings of the voice runtime, from the environment. */
export interface Settings {
  port: number;
  host: string;
  /** The address at which browsers reach the door. undefined: this machine, at its port. */
  publicUrl: string | undefined;
  /** undefined: the worker package says that it is missing. */
  rabbitmqUrl: string | undefined;
  /** The address at which this process reaches the server. undefined: the one that each call names. */
  apiUrl: string | undefined;
  /** The beginning of the names on RabbitMQ. */
  prefix: string;
  /** The queue of calls. undefined: that of all web calls. */
  queue: string | undefined;
  capacity: number;
  drainSeconds: number;
  models: Models;
  /** The providers of speech whose keys are set. */
  accounts: SpeechAccounts;
  /** The carrier of phone calls. undefined: the runtime takes none. */
  carrier: CarrierSettings | undefined;
  /** The address at which other runtimes behind the same public address reach this one, and what they share. */
  peers: { peerUrl: string; secret: string } | undefined;
  /** Whether the variable `callee` of a call decides how it goes, for tests of the runtime contract. */
  isConformance: boolean;
  /** One sentence for each thing that some agents lack. */
  notes: string[];
}

/** Addresses and keys of language models, by the agent's word for the provider. */
export type Models = Map<string, { baseUrl: string; apiKey: string }>;

const OPENAI = 'https://api.openai.com/v1';
/** Addresses with these names have a meaning of their own. */
const OTHER_NAMES = new Set(['LLM', 'PARLEY', 'VOICE', 'DEEPGRAM', 'ELEVENLABS']);

/** @throws SettingsError with a sentence that says what would be right */
export function readSettings(env: Environment): Settings {
  const port = integer(env, 'VOICE_PORT', 3010, 0, 65_535);
  const host = env.VOICE_HOST || '127.0.0.1';
  const publicUrl = env.VOICE_PUBLIC_URL ? webSocketUrl(env.VOICE_PUBLIC_URL) : undefined;
  const carrier = readCarrier(env);
  if (carrier) assertReachable(carrier, 'VOICE_PUBLIC_URL', publicUrl);
  const speech = readSpeech(env);
  const { models, notes } = readModels(env);
  return {
    port,
    host,
    publicUrl,
    rabbitmqUrl: env.RABBITMQ_URL,
    apiUrl: env.PARLEY_API_URL ? httpUrl(env, 'PARLEY_API_URL') : undefined,
    prefix: env.BROKER_PREFIX || 'voice',
    queue: env.PARLEY_QUEUE || undefined,
    capacity: integer(env, 'VOICE_CAPACITY', integer(env, 'PARLEY_CAPACITY', 4, 1, 1_000), 1, 1_000),
    drainSeconds: integer(
      env,
      'VOICE_DRAIN_SECONDS',
      integer(env, 'PARLEY_DRAIN_SECONDS', 60, 0, 86_400),
      0,
      86_400,
    ),
    carrier,
    peers: readPeers(env),
    isConformance: env.PARLEY_CONFORMANCE === '1',
    models,
    accounts: speech.accounts,
    notes: [...notes, ...speech.notes],
  };
}

const MIN_SECRET = 32;

function readPeers(env: Environment): Settings['peers'] {
  if (!env.VOICE_PEER_URL) return undefined;
  const secret = readSecret(env, 'VOICE_PEER_SECRET');
  if (secret.length < MIN_SECRET)
    throw new SettingsError(
      `VOICE_PEER_SECRET must have at least ${MIN_SECRET} characters, the same for all runtimes, if VOICE_PEER_URL is set.`,
    );
  if (!env.VOICE_PUBLIC_URL)
    throw new SettingsError('VOICE_PUBLIC_URL is needed with VOICE_PEER_URL: all runtimes share it.');
  if (!/^http:\/\//.test(env.VOICE_PEER_URL))
    throw new SettingsError('VOICE_PEER_URL must be an address that begins with http://.');
  return { peerUrl: httpUrl(env, 'VOICE_PEER_URL'), secret };
}

/**
 * The calls at once of each queue, which are those of the settings together.
 * @throws SettingsError if there is none for one of the queues
 */
export function splitCapacity({ capacity, carrier }: { capacity: number; carrier?: CarrierSettings }) {
  if (!carrier) return { web: capacity, phone: 0 };
  if (capacity < 2)
    throw new SettingsError(
      'VOICE_CAPACITY must be at least 2 with a carrier: web calls and phone calls share it.',
    );
  const web = Math.floor(capacity / 2);
  return { web, phone: capacity - web };
}

/** Addresses that would replace a provider which is set in another way, with what to do. */
const RESERVED = new Map([
  ['OPENAI', 'agents of openai use LLM_BASE_URL and LLM_API_KEY. Set these, and remove OPENAI_BASE_URL.'],
  ['LOCAL', 'local is the scripted brain. Use another name, such as OLLAMA_BASE_URL.'],
]);

/** @throws SettingsError with a sentence that says what would be right */
export function readModels(env: Environment): Pick<Settings, 'models' | 'notes'> {
  const models: Models = new Map();
  const notes: string[] = [];
  const openAiKey = readSecret(env, 'LLM_API_KEY');
  if (env.LLM_BASE_URL || openAiKey) {
    const baseUrl = env.LLM_BASE_URL ? httpUrl(env, 'LLM_BASE_URL') : OPENAI;
    if (baseUrl === OPENAI && !openAiKey)
      throw new SettingsError('LLM_API_KEY is needed for api.openai.com.');
    models.set('openai', { baseUrl, apiKey: openAiKey });
  } else
    notes.push(
      'LLM_BASE_URL and LLM_API_KEY are not set: agents of openai are answered by the scripted brain.',
    );
  for (const name of Object.keys(env)) {
    const prefix = /^([A-Z][A-Z0-9]*)_BASE_URL$/.exec(name)?.[1];
    if (!prefix || OTHER_NAMES.has(prefix) || !env[name]) continue;
    const apiKey = readSecret(env, `${prefix}_API_KEY`);
    // Other programs have addresses with such names, too.
    if (apiKey === '' && !isHttp(env[name])) {
      notes.push(`${name} is no address that begins with http:// or https://: it is not used.`);
      continue;
    }
    const advice = RESERVED.get(prefix);
    if (advice) throw new SettingsError(`${name} is not used: ${advice}`);
    const provider = prefix.toLowerCase();
    models.set(provider, { baseUrl: httpUrl(env, name), apiKey });
    notes.push(
      apiKey === ''
        ? `${prefix}_API_KEY is not set: ${name} is asked without a key.`
        : `Agents may name the provider ${provider}: ${name} is asked with ${prefix}_API_KEY.`,
    );
  }
  return { models, notes };
}
