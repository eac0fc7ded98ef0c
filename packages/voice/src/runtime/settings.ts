import { readFileSync } from 'node:fs';

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
  /** The carrier of phone calls. undefined: the runtime takes none. */
  carrier: CarrierName | undefined;
  /** Whether the variable `callee` of a call decides how it goes, for tests of the runtime contract. */
  isConformance: boolean;
  /** One sentence for each thing that some agents lack. */
  notes: string[];
}

/** `line`: the carrier on this machine. */
export type CarrierName = 'line';

/** Addresses and keys of language models, by the agent's word for the provider. */
export type Models = Map<string, { baseUrl: string; apiKey: string }>;

type Environment = Record<string, string | undefined>;

export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

const OPENAI = 'https://api.openai.com/v1';
/** Addresses with these names have a meaning of their own. */
const OTHER_NAMES = new Set(['LLM', 'PARLEY', 'VOICE']);

/** @throws SettingsError with a sentence that says what would be right */
export function readSettings(env: Environment): Settings {
  const port = integer(env, 'VOICE_PORT', 3010, 0, 65_535);
  const host = env.VOICE_HOST || '127.0.0.1';
  return {
    port,
    host,
    publicUrl: env.VOICE_PUBLIC_URL ? webSocketUrl(env.VOICE_PUBLIC_URL) : undefined,
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
    carrier: readCarrier(env),
    isConformance: env.PARLEY_CONFORMANCE === '1',
    ...readModels(env),
  };
}

/**
 * The calls at once of each queue of a process beside RabbitMQ, which are those of the settings together.
 * @throws SettingsError if there is none for one of the queues
 */
export function splitCapacity({ capacity, carrier }: Pick<Settings, 'capacity' | 'carrier'>) {
  if (!carrier) return { web: capacity, phone: 0 };
  if (capacity < 2)
    throw new SettingsError(
      'VOICE_CAPACITY must be at least 2 with a carrier: web calls and phone calls share it.',
    );
  const web = Math.floor(capacity / 2);
  return { web, phone: capacity - web };
}

function readCarrier({ VOICE_CARRIER: name }: Environment): CarrierName | undefined {
  if (name === undefined || name === '') return undefined;
  if (name === 'line') return name;
  throw new SettingsError('VOICE_CARRIER must be line, or not set.');
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
  const openAiKey = readKey(env, 'LLM');
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
    const apiKey = readKey(env, prefix);
    // Other programs have addresses with such names, too.
    if (apiKey === '' && !isHttp(env[name])) {
      notes.push(`${name} is no address that begins with http:// or https://: it is not used.`);
      continue;
    }
    const advice = RESERVED.get(prefix);
    if (advice) throw new SettingsError(`${name} is not used: ${advice}`);
    if (apiKey === '') notes.push(`${prefix}_API_KEY is not set: ${name} is asked without a key.`);
    models.set(prefix.toLowerCase(), { baseUrl: httpUrl(env, name), apiKey });
  }
  return { models, notes };
}

function integer(env: Environment, name: string, otherwise: number, min: number, max: number) {
  const given = env[name];
  if (given === undefined || given === '') return otherwise;
  const value = Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new SettingsError(`${name} must be a whole number from ${min} to ${max}.`);
}

/** @returns the key of a provider, or the content of the file that has it; '' if there is none */
function readKey(env: Environment, prefix: string): string {
  const name = `${prefix}_API_KEY`;
  const file = env[`${name}_FILE`];
  if (env[name] || !file) return env[name] ?? '';
  try {
    const key = readFileSync(file, 'utf8').trim();
    if (key !== '') return key;
  } catch (error) {
    throw new SettingsError(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new SettingsError(`${name}_FILE names an empty file.`);
}

const isHttp = (given: string | undefined) =>
  URL.canParse(given ?? '') && /^https?:$/.test(new URL(given ?? '').protocol);

function httpUrl(env: Environment, name: string): string {
  if (isHttp(env[name])) return new URL(env[name] ?? '').href.replace(/\/$/, '');
  throw new SettingsError(`${name} must be an address that begins with http:// or https://.`);
}

function webSocketUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['ws:', 'wss:', 'http:', 'https:'].includes(url.protocol)) {
    throw new SettingsError(
      'VOICE_PUBLIC_URL must be an address that begins with ws://, wss://, http:// or https://.',
    );
  }
  return url.href.replace(/^http/, 'ws').replace(/\/$/, '');
}
