import { createPublicKey } from 'node:crypto';
import { resolve } from 'node:path';
import { cleanEnv, EnvError, makeExactValidator, makeValidator, str } from 'envalid';

/** A setting that has a wrong value or is missing; the message is one sentence for each, and says what would be right. */
export class ConfigError extends Error {}

export const ROLES = ['http', 'background', 'runtime'] as const;
export type Role = (typeof ROLES)[number];

const integer = ({ min, max }: { min: number; max: number }) =>
  makeExactValidator<number>((input) => {
    const value = /^-?\d+$/.test(input) ? Number(input) : NaN;
    if (!(value >= min && value <= max)) throw new EnvError(`must be a whole number from ${min} to ${max}`);
    return value;
  });

const oneOf = <Choice extends string>(...choices: Choice[]) =>
  makeValidator<Choice>((input) => {
    const choice = choices.find((known) => known === input);
    if (!choice) throw new EnvError(`must be one of ${choices.join(', ')}`);
    return choice;
  });

const switchedOn = makeExactValidator<boolean>((input) => {
  if (input !== 'true' && input !== 'false') throw new EnvError('must be true or false');
  return input === 'true';
});

const name = makeValidator<string>((input) => {
  if (!/^[\w.-]{1,100}$/.test(input)) {
    throw new EnvError('must have up to 100 letters, digits, dots, underscores and hyphens');
  }
  return input;
});

const address = (...protocols: string[]) =>
  makeValidator<string>((input) => {
    if (!URL.canParse(input) || !protocols.includes(new URL(input).protocol)) {
      throw new EnvError(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return input;
  });

const roles = makeExactValidator<Role[]>((input) => {
  const names = input.split(',').map((name) => name.trim());
  if (!names.every((name): name is Role => ROLES.some((role) => role === name))) {
    throw new EnvError(`must be a comma-separated list out of ${ROLES.join(', ')}`);
  }
  return names;
});

const secret = makeValidator<string>((input) => {
  if (Buffer.byteLength(input) < 32) throw new EnvError('must have at least 32 bytes');
  return input;
});

function isStrongPublicKey(pem: string): boolean {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === 'rsa'
      ? (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048
      : asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

const publicKey = makeValidator<string>((input) => {
  // A PEM in one line of an .env file writes its line breaks as \n.
  const pem = input.replaceAll('\\n', '\n');
  if (!isStrongPublicKey(pem)) {
    throw new EnvError(
      'must be a public key in PEM form (-----BEGIN PUBLIC KEY-----), RSA with 2,048 bits or more or EC on P-256',
    );
  }
  return pem;
});

/** Every setting the application reads, with its default. `.env.example` lists the same with their units. */
const settings = {
  PORT: integer({ min: 0, max: 65_535 })({ default: 3000 }),
  HOST: str({ default: '0.0.0.0' }),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')({ default: 'info' }),
  ROLES: roles({ default: undefined }),
  PARLEY_DATA: str({ default: '.parley' }),

  DATABASE_URL: address('postgres:', 'postgresql:')(),
  DATABASE_POOL_SIZE: integer({ min: 2, max: 500 })({ default: 10 }),

  RABBITMQ_URL: address('amqp:', 'amqps:')({ default: undefined }),
  BROKER_PREFIX: name({ default: 'voice' }),

  JWT_SECRET: secret({ default: undefined }),
  JWT_PUBLIC_KEY: publicKey({ default: undefined }),
  JWKS_URL: address('https:', 'http:')({ default: undefined }),

  UPLOAD_MAX_MB: integer({ min: 1, max: 1_000 })({ default: 25 }),
  DOCUMENT_WAIT_MS: integer({ min: 1, max: 600_000 })({ default: 20_000 }),
  ALLOW_PRIVATE_ADDRESSES: switchedOn({ default: false }),

  RATE_LIMIT_PER_MINUTE: integer({ min: 1, max: 1_000_000_000 })({ default: 600_000 }),
  PUBLISH_TIMEOUT_MS: integer({ min: 50, max: 60_000 })({ default: 2_000 }),
  WORKSPACE_CONCURRENCY: integer({ min: 1, max: 1_000_000 })({ default: 10_000 }),
  CALL_TTL_SECONDS: integer({ min: 1, max: 86_400 })({ default: 60 }),
  LEASE_SECONDS: integer({ min: 1, max: 3_600 })({ default: 30 }),
  HEARTBEAT_SECONDS: integer({ min: 1, max: 3_599 })({ default: undefined }),
  JOB_LEASE_SECONDS: integer({ min: 1, max: 3_600 })({ default: 30 }),
  JOB_CONCURRENCY: integer({ min: 1, max: 100 })({ default: 4 }),
  WEBHOOK_CONCURRENCY: integer({ min: 1, max: 1_000 })({ default: 50 }),
  WEBHOOK_RETENTION_DAYS: integer({ min: 1, max: 3_650 })({ default: 30 }),
  SWEEP_INTERVAL_MS: integer({ min: 50, max: 60_000 })({ default: 2_000 }),

  CAMPAIGN_MAX_MB: integer({ min: 1, max: 10_000 })({ default: 100 }),
  CAMPAIGN_MAX_ROWS: integer({ min: 1, max: 100_000_000 })({ default: 1_000_000 }),
  CAMPAIGN_WAIT_MS: integer({ min: 1, max: 600_000 })({ default: 60_000 }),
  CAMPAIGN_CONCURRENCY: integer({ min: 1, max: 10_000 })({ default: 10 }),
  CAMPAIGN_CALL_TTL_SECONDS: integer({ min: 1, max: 604_800 })({ default: 86_400 }),
  CAMPAIGN_INTERVAL_MS: integer({ min: 50, max: 60_000 })({ default: 1_000 }),
};

export const SETTING_NAMES = Object.keys(settings);

/** @throws ConfigError that names every wrong setting; never with the value of one, which may be a secret. */
function read<Specs>(specs: Specs, env: NodeJS.ProcessEnv) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return cleanEnv(present, specs, {
    reporter: ({ errors }) => {
      const sentences = Object.entries(errors as Record<string, Error>).map(([name, error]) =>
        name in present ? `${name} ${error.message}.` : `${name} is not set.`,
      );
      if (sentences.length > 0) throw new ConfigError(sentences.join('\n'));
    },
  });
}

/**
 * Reads and checks the settings.
 * @throws ConfigError
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = read(settings, env);
  const keys = [values.JWT_SECRET, values.JWT_PUBLIC_KEY, values.JWKS_URL].filter(Boolean).length;
  if (keys !== 1) {
    throw new ConfigError('Set exactly one of JWT_SECRET (at least 32 bytes), JWT_PUBLIC_KEY and JWKS_URL.');
  }
  // One heartbeat may be lost, and the next one too.
  const HEARTBEAT_SECONDS = values.HEARTBEAT_SECONDS ?? values.LEASE_SECONDS / 3;
  if (HEARTBEAT_SECONDS >= values.LEASE_SECONDS) {
    throw new ConfigError('HEARTBEAT_SECONDS must be less than LEASE_SECONDS, best a third of it.');
  }
  return {
    ...values,
    HEARTBEAT_SECONDS,
    PARLEY_DATA: resolve(values.PARLEY_DATA),
    // The simulated runtime would take real calls from a real worker pool, so a real broker goes without it.
    ROLES: values.ROLES ?? (values.RABBITMQ_URL ? ['http', 'background'] : [...ROLES]),
  };
}

export type Config = ReturnType<typeof loadConfig>;

type WholeNumber = {
  [Name in keyof Config]: Config[Name] extends number ? Name : never;
}[keyof Config & keyof typeof settings];

/** What a whole number is where nobody sets it. */
export const defaultOf = (name: WholeNumber) => settings[name].default as number;

/** @throws ConfigError where the in-process broker would leave the calls of this process to nobody */
export function assertRolesMeet({ RABBITMQ_URL, ROLES }: Config): void {
  if (RABBITMQ_URL || (ROLES.includes('http') && ROLES.includes('background'))) return;
  throw new ConfigError(
    'ROLES must include http and background where RABBITMQ_URL is not set: the in-process broker reaches no other process.',
  );
}

/**
 * The few settings of a runtime in a process of its own, which has no database and signs no tokens.
 * @throws ConfigError
 */
export function loadRuntimeConfig(env: NodeJS.ProcessEnv = process.env) {
  const { LOG_LEVEL, RABBITMQ_URL, BROKER_PREFIX, PUBLISH_TIMEOUT_MS } = settings;
  const values = read({ LOG_LEVEL, RABBITMQ_URL, BROKER_PREFIX, PUBLISH_TIMEOUT_MS }, env);
  if (!values.RABBITMQ_URL) {
    throw new ConfigError("RABBITMQ_URL is not set: a runtime needs the server's broker.");
  }
  const roles: Role[] = ['runtime'];
  return { ...values, RABBITMQ_URL: values.RABBITMQ_URL, ROLES: roles };
}

export type RuntimeConfig = ReturnType<typeof loadRuntimeConfig>;

/** The injection token of {@link Config}. */
export const CONFIG = Symbol('CONFIG');
