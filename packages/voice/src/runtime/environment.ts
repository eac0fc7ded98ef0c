import { cleanEnv, EnvError, makeExactValidator, makeValidator } from 'envalid';
import { readFileSync } from 'node:fs';

export type Environment = Record<string, string | undefined>;

/** Settings are wrong or missing. The message has a sentence for each, which says what would be right. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/** @throws SettingsError that names every wrong setting, without its value, which may be a secret */
export function readEnvironment<Specs>(specs: Specs, env: Environment) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return cleanEnv(present, specs, {
    reporter: ({ errors }) => {
      const sentences = Object.entries(errors as Record<string, Error>).map(([name, error]) =>
        name in present ? `${name} ${error.message}.` : `${name} is not set.`,
      );
      if (sentences.length > 0) throw new SettingsError(sentences.join('\n'));
    },
  });
}

// The message of a check follows the name of the setting.

export const integer = ({ min, max }: { min: number; max: number }) =>
  makeExactValidator<number>((input) => {
    const value = /^-?\d+$/.test(input) ? Number(input) : NaN;
    if (!(value >= min && value <= max)) throw new EnvError(`must be a whole number from ${min} to ${max}`);
    return value;
  });

export const oneOf = <Choice extends string>(...choices: Choice[]) =>
  makeValidator<Choice>((input) => {
    const choice = choices.find((known) => known === input);
    if (!choice) throw new EnvError(`must be ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`);
    return choice;
  });

export const address = (...protocols: string[]) =>
  makeValidator<string>((input) => {
    if (!URL.canParse(input) || !protocols.includes(new URL(input).protocol)) {
      throw new EnvError(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return input;
  });

export const httpAddress = address('https:', 'http:');

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

export const withoutSlash = (url: string) => new URL(url).href.replace(/\/$/, '');
