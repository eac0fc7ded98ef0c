import { readFileSync } from 'node:fs';

/** Reads single settings from the environment. */

export type Environment = Record<string, string | undefined>;

export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/** @throws SettingsError with a sentence that says what would be right */
export function integer(env: Environment, name: string, otherwise: number, min: number, max: number): number {
  const given = env[name];
  if (given === undefined || given === '') return otherwise;
  const value = Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new SettingsError(`${name} must be a whole number from ${min} to ${max}.`);
}

/** @returns a secret, or the content of the file that has it; '' if there is none */
export function readSecret(env: Environment, name: string): string {
  const file = env[`${name}_FILE`];
  if (env[name] || !file) return env[name] ?? '';
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret !== '') return secret;
  } catch (error) {
    throw new SettingsError(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new SettingsError(`${name}_FILE names an empty file.`);
}

export const isHttp = (given: string | undefined) =>
  URL.canParse(given ?? '') && /^https?:$/.test(new URL(given ?? '').protocol);

export function httpUrl(env: Environment, name: string, otherwise?: string): string {
  if (otherwise !== undefined && !env[name]) return otherwise;
  if (isHttp(env[name])) return new URL(env[name] ?? '').href.replace(/\/$/, '');
  throw new SettingsError(`${name} must be an address that begins with http:// or https://.`);
}

export function webSocketUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['ws:', 'wss:', 'http:', 'https:'].includes(url.protocol)) {
    throw new SettingsError(
      'VOICE_PUBLIC_URL must be an address that begins with ws://, wss://, http:// or https://.',
    );
  }
  return url.href.replace(/^http/, 'ws').replace(/\/$/, '');
}
