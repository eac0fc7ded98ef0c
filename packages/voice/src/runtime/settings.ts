/** The settings of the voice runtime, from the environment. */
export interface Settings {
  port: number;
  host: string;
  /** Where browsers reach the door. */
  publicUrl: string;
  capacity: number;
  drainSeconds: number;
  /** Addresses and keys by the agent's word for the provider. */
  models: Map<string, { baseUrl: string; apiKey: string }>;
  /** What is missing for some agents, one sentence each. */
  notes: string[];
}

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
export function readSettings(env: Record<string, string | undefined>): Settings {
  const port = integer(env, 'VOICE_PORT', 3010, 0, 65_535);
  const host = env.VOICE_HOST || '127.0.0.1';
  const models = new Map<string, { baseUrl: string; apiKey: string }>();
  const notes: string[] = [];
  if (env.LLM_BASE_URL || env.LLM_API_KEY) {
    const baseUrl = env.LLM_BASE_URL ? httpUrl(env, 'LLM_BASE_URL') : OPENAI;
    if (baseUrl === OPENAI && !env.LLM_API_KEY)
      throw new SettingsError('LLM_API_KEY is needed for api.openai.com.');
    models.set('openai', { baseUrl, apiKey: env.LLM_API_KEY ?? '' });
  } else
    notes.push(
      'LLM_BASE_URL and LLM_API_KEY are not set: agents of openai are answered by the scripted brain.',
    );
  for (const name of Object.keys(env)) {
    const prefix = /^([A-Z][A-Z0-9]*)_BASE_URL$/.exec(name)?.[1];
    if (!prefix || OTHER_NAMES.has(prefix) || !env[name]) continue;
    const apiKey = env[`${prefix}_API_KEY`] ?? '';
    if (apiKey === '') notes.push(`${prefix}_API_KEY is not set: ${name} is asked without a key.`);
    models.set(prefix.toLowerCase(), { baseUrl: httpUrl(env, name), apiKey });
  }
  return {
    port,
    host,
    publicUrl: env.VOICE_PUBLIC_URL ? webSocketUrl(env.VOICE_PUBLIC_URL) : `ws://localhost:${port}`,
    capacity: integer(env, 'VOICE_CAPACITY', 4, 1, 1_000),
    drainSeconds: integer(env, 'VOICE_DRAIN_SECONDS', 60, 0, 86_400),
    models,
    notes,
  };
}

function integer(
  env: Record<string, string | undefined>,
  name: string,
  otherwise: number,
  min: number,
  max: number,
) {
  const given = env[name];
  if (given === undefined || given === '') return otherwise;
  const value = Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new SettingsError(`${name} must be a whole number from ${min} to ${max}.`);
}

function httpUrl(env: Record<string, string | undefined>, name: string): string {
  const url = URL.canParse(env[name] ?? '') ? new URL(env[name] ?? '') : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/$/, '');
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
