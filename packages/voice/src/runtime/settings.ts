import { str } from 'envalid';
import type { Fallbacks } from '../providers/fallbacks';
import type { SpeechAccounts } from '../speech/services';
import type { Account, SpeechProtocol } from '../speech/speech';
import { assertReachable, CARRIER_SETTINGS, type CarrierSettings, readCarrier } from './carrier-settings';
import {
  address,
  type Environment,
  httpAddress,
  integer,
  isHttp,
  readEnvironment,
  readSecret,
  SettingsError,
  withoutSlash,
} from './environment';
import { FALLBACK_SETTINGS, readFallbacks } from './fallback-settings';
import { readSpeech, SPEECH_SETTINGS } from './speech-settings';

const capacity = integer({ min: 1, max: 1_000 });
const drainSeconds = integer({ min: 0, max: 86_400 });

/** Every setting of the voice runtime that has a fixed name, with its default. */
export const VOICE_SETTINGS = {
  ...CARRIER_SETTINGS,
  ...SPEECH_SETTINGS,
  ...FALLBACK_SETTINGS,
  VOICE_CAPACITY: capacity({ default: 4 }),
  VOICE_DRAIN_SECONDS: drainSeconds({ default: 60 }),
  VOICE_REHEARSALS: integer({ min: 0, max: 100 })({ default: 8 }),
  VOICE_PORT: integer({ min: 0, max: 65_535 })({ default: 3010 }),
  VOICE_HOST: str({ default: '127.0.0.1' }),
  VOICE_PUBLIC_URL: address('wss:', 'ws:', 'https:', 'http:')({ default: undefined }),
  VOICE_PEER_URL: address('http:')({ default: undefined }),
  VOICE_PEER_SECRET: str({ default: undefined }),
  PARLEY_API_URL: httpAddress({ default: undefined }),
  LLM_BASE_URL: httpAddress({ default: undefined }),
  LLM_API_KEY: str({ default: undefined }),
};

/** The settings of the worker package that count where those of the voice runtime are not set. */
const WORKER_SETTINGS = {
  PARLEY_CAPACITY: capacity({ default: undefined }),
  PARLEY_DRAIN_SECONDS: drainSeconds({ default: undefined }),
};

/** The settings of a voice runtime in any process. */
export interface RuntimeSettings {
  /** The calls at once of each queue. */
  capacity: { web: number; phone: number };
  /** The rehearsals that are played at once, beside the calls. 0: none. */
  rehearsals: number;
  /** The time for which calls may continue after a stop. */
  drainSeconds: number;
  models: Models;
  /** The providers of speech whose keys are set. */
  accounts: SpeechAccounts;
  /** The providers that follow one that fails. */
  fallbacks: Fallbacks;
  /** The carrier of phone calls. undefined: the runtime takes none. */
  carrier: CarrierSettings | undefined;
  /** One sentence for each thing that some agents lack. */
  notes: string[];
}

/** The settings of a voice runtime in a process of its own. */
export interface Settings extends RuntimeSettings {
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
  /** The address at which other runtimes behind the same public address reach this one, and what they share. */
  peers: { peerUrl: string; secret: string } | undefined;
  /** Whether the variable `callee` of a call decides how it goes, for tests of the runtime contract. */
  isConformance: boolean;
}

/** Addresses and keys of language models, by the agent's word for the provider. */
export type Models = Map<string, { baseUrl: string; apiKey: string }>;

const OPENAI = 'https://api.openai.com/v1';
/** Addresses with these names have a meaning of their own. */
const OTHER_NAMES = new Set(['LLM', 'PARLEY', 'VOICE', 'DEEPGRAM', 'ELEVENLABS']);

/** @throws SettingsError with a sentence that says what would be right */
export function readSettings(env: Environment): Settings {
  const values = readEnvironment({ ...VOICE_SETTINGS, ...WORKER_SETTINGS }, env);
  const { VOICE_PUBLIC_URL, PARLEY_API_URL } = values;
  const limits = {
    VOICE_CAPACITY: env.VOICE_CAPACITY || env.PARLEY_CAPACITY,
    VOICE_DRAIN_SECONDS: env.VOICE_DRAIN_SECONDS || env.PARLEY_DRAIN_SECONDS,
  };
  return {
    ...readRuntime({ ...env, ...limits }, 'VOICE_PUBLIC_URL'),
    port: values.VOICE_PORT,
    host: values.VOICE_HOST,
    publicUrl: VOICE_PUBLIC_URL && withoutSlash(VOICE_PUBLIC_URL).replace(/^http/, 'ws'),
    rabbitmqUrl: env.RABBITMQ_URL,
    apiUrl: PARLEY_API_URL && withoutSlash(PARLEY_API_URL),
    prefix: env.BROKER_PREFIX || 'voice',
    queue: env.PARLEY_QUEUE || undefined,
    peers: readPeers(env),
    isConformance: env.PARLEY_CONFORMANCE === '1',
  };
}

/**
 * @param setting the name of the one with the address at which a carrier reaches the process
 * @throws SettingsError with a sentence that says what would be right
 */
export function readRuntime(env: Environment, setting: 'PUBLIC_URL' | 'VOICE_PUBLIC_URL'): RuntimeSettings {
  const values = readEnvironment(VOICE_SETTINGS, env);
  const carrier = readCarrier(env);
  if (carrier) assertReachable(carrier, setting, env[setting]);
  const [{ models, speechAccounts, notes }, speech] = [readModels(env), readSpeech(env)];
  const accounts = { ...speech.accounts, ...speechAccounts };
  return {
    capacity: splitCapacity(values.VOICE_CAPACITY, carrier),
    rehearsals: values.VOICE_REHEARSALS,
    drainSeconds: values.VOICE_DRAIN_SECONDS,
    ...{ carrier, models, accounts, notes: [...notes, ...speech.notes] },
    fallbacks: readFallbacks(env, models, accounts),
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
  return { peerUrl: withoutSlash(env.VOICE_PEER_URL), secret };
}

/**
 * The calls at once of each queue, which are those of the settings together.
 * @throws SettingsError if there is none for one of the queues
 */
function splitCapacity(capacity: number, carrier: CarrierSettings | undefined) {
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

const PROTOCOLS = ['openai', 'deepgram', 'elevenlabs'] as const;

/**
 * The language models, and the further accounts with providers of speech.
 * @throws SettingsError with a sentence that says what would be right
 */
export function readModels(
  env: Environment,
): Pick<Settings, 'models' | 'notes'> & { speechAccounts: Record<string, Account> } {
  const models: Models = new Map();
  const speechAccounts: Record<string, Account> = {};
  const notes: string[] = [];
  const openAiKey = readSecret(env, 'LLM_API_KEY');
  if (env.LLM_BASE_URL || openAiKey) {
    const baseUrl = env.LLM_BASE_URL ? readUrl(env, 'LLM_BASE_URL') : OPENAI;
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
    const protocol = readProtocol(env, prefix, apiKey);
    if (protocol === undefined) {
      notes.push(`${prefix}_PROTOCOL is none of ${PROTOCOLS.join(', ')}: ${name} is not used.`);
      continue;
    }
    if (protocol !== 'openai') {
      speechAccounts[provider] = { baseUrl: readUrl(env, name), apiKey, protocol };
      notes.push(`Agents may name the provider ${provider}: ${name} is asked as ${protocol}.`);
      continue;
    }
    models.set(provider, { baseUrl: readUrl(env, name), apiKey });
    notes.push(
      apiKey === ''
        ? `${prefix}_API_KEY is not set: ${name} is asked without a key.`
        : `Agents may name the provider ${provider}: ${name} is asked with ${prefix}_API_KEY.`,
    );
  }
  return { models, speechAccounts, notes };
}

/** The protocol of the address of a provider. undefined: it is of another program. @throws SettingsError */
function readProtocol(
  env: Environment,
  prefix: string,
  apiKey: string,
): 'openai' | SpeechProtocol | undefined {
  const setting = `${prefix}_PROTOCOL`;
  const given = env[setting] || 'openai';
  const protocol = PROTOCOLS.find((known) => known === given);
  if (apiKey !== '' && !protocol)
    throw new SettingsError(`${setting} must be one of ${PROTOCOLS.join(', ')}.`);
  if (apiKey === '' && protocol && protocol !== 'openai')
    throw new SettingsError(`${prefix}_API_KEY is needed with ${setting}=${protocol}.`);
  return protocol;
}

/** The address of a language model, of which most have a name that no list has. */
function readUrl(env: Environment, name: string): string {
  const { [name]: url = '' } = readEnvironment({ [name]: httpAddress() }, env);
  return withoutSlash(url);
}
