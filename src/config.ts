import { type DynamicModule, Module } from '@nestjs/common';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
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

const destinations = (...words: string[]) =>
  makeExactValidator<string[]>((input) => {
    if (words.includes(input)) return [];
    const prefixes = input.split(',').map((prefix) => prefix.trim().replace(/^\+/, ''));
    if (!prefixes.every((prefix) => /^[1-9]\d{0,14}$/.test(prefix))) {
      const list = 'a comma-separated list of prefixes of phone numbers, such as 49 or +4915';
      throw new EnvError(`must be ${[list, ...words].join(', or ')}`);
    }
    return prefixes;
  });

/** How many leading bits of its addresses a network fixes; undefined: the text is no network. */
function prefixLengthOf(text: string): number | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  if (length === undefined) return longest;
  return /^\d{1,3}$/.test(length) && Number(length) <= longest ? Number(length) : undefined;
}

/** @param words what else the list may have */
const networks = ({ words = [], shortestPrefix = 0 }: { words?: string[]; shortestPrefix?: number } = {}) =>
  makeExactValidator<string[]>((input) => {
    const list = input.split(',').map((network) => network.trim());
    const isTaken = (text: string) => words.includes(text) || (prefixLengthOf(text) ?? -1) >= shortestPrefix;
    if (list.every(isTaken)) return list;
    const more = words.length > 0 ? `, or ${words.join(', ')}` : '';
    throw new EnvError(
      `must be a comma-separated list of addresses or networks, such as 203.0.113.0/24 and 2001:db8::/32${more}`,
    );
  });

const secret = makeValidator<string>((input) => {
  if (Buffer.byteLength(input) < 32) throw new EnvError('must have at least 32 bytes');
  return input;
});

/** Whether a public key may check tokens: RSA of 2,048 bits or more, or EC on P-256. */
export const isStrongKey = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa'
    ? (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048
    : asymmetricKeyDetails?.namedCurve === 'prime256v1';

function isStrongPublicKey(pem: string): boolean {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return false;
  try {
    return isStrongKey(createPublicKey(pem));
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

const scopeWord = makeValidator<string>((input) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(input) || input.startsWith('agent:')) {
    throw new EnvError('must be one word of a scope, without spaces, that does not begin with agent:');
  }
  return input;
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
  WORKSPACE_CONNECTIONS: integer({ min: 1, max: 500 })({ default: undefined }),

  RABBITMQ_URL: address('amqp:', 'amqps:')({ default: undefined }),
  BROKER_PREFIX: name({ default: 'voice' }),

  JWT_SECRET: secret({ default: undefined }),
  JWT_PUBLIC_KEY: publicKey({ default: undefined }),
  JWKS_URL: address('https:', 'http:')({ default: undefined }),
  JWT_SECRET_PREVIOUS: secret({ default: undefined }),
  JWT_ISSUER: str({ default: undefined }),
  JWT_AUDIENCE: str({ default: undefined }),
  JWT_REQUIRED_SCOPE: scopeWord({ default: undefined }),

  TRUST_PROXY: networks({ words: ['loopback'], shortestPrefix: 1 })({ default: [] }),
  WRONG_CREDENTIALS_PER_MINUTE: integer({ min: 1, max: 1_000_000_000 })({ default: 300 }),

  UPLOAD_MAX_MB: integer({ min: 1, max: 1_000 })({ default: 25 }),
  DOCUMENT_WAIT_MS: integer({ min: 1, max: 600_000 })({ default: 20_000 }),
  ALLOW_PRIVATE_ADDRESSES: switchedOn({ default: false }),
  DENIED_NETWORKS: networks()({ default: [] }),

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

  AGENTS_QUOTA: integer({ min: 1, max: 1_000_000 })({ default: 10_000 }),
  KNOWLEDGE_BASE_MB_QUOTA: integer({ min: 1, max: 100_000_000 })({ default: 5_000 }),
  API_KEYS_QUOTA: integer({ min: 1, max: 1_000_000 })({ default: 1_000 }),
  PHONE_NUMBERS_QUOTA: integer({ min: 1, max: 10_000_000 })({ default: 10_000 }),
  RECIPIENTS_QUOTA: integer({ min: 1, max: 1_000_000_000 })({ default: 5_000_000 }),

  PHONE_NUMBERS: oneOf('open', 'granted')({ default: 'open' }),
  ALLOWED_DESTINATIONS: destinations()({ default: [] }),
  // Satellite networks and international premium rate numbers.
  DENIED_DESTINATIONS: destinations('none')({ default: ['870', '881', '882', '883', '979'] }),
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

type TokenSettings = {
  [Name in keyof typeof settings as Name extends `JW${string}` ? Name : never]?: string;
};

/** @throws ConfigError where the settings for tokens do not go together */
function assertTokenSettings({ JWT_SECRET, JWT_SECRET_PREVIOUS, ...others }: TokenSettings): void {
  const { JWT_PUBLIC_KEY, JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, JWT_REQUIRED_SCOPE } = others;
  if ([JWT_SECRET, JWT_PUBLIC_KEY, JWKS_URL].filter(Boolean).length !== 1) {
    throw new ConfigError('Set exactly one of JWT_SECRET (at least 32 bytes), JWT_PUBLIC_KEY and JWKS_URL.');
  }
  if (JWT_SECRET && (JWT_ISSUER || JWT_AUDIENCE || JWT_REQUIRED_SCOPE)) {
    throw new ConfigError(
      'JWT_ISSUER, JWT_AUDIENCE and JWT_REQUIRED_SCOPE are for tokens of an identity provider: set them with JWT_PUBLIC_KEY or JWKS_URL, not with JWT_SECRET.',
    );
  }
  if (!JWT_SECRET && !(JWT_ISSUER && JWT_AUDIENCE)) {
    throw new ConfigError(
      'Set JWT_ISSUER and JWT_AUDIENCE with JWT_PUBLIC_KEY or JWKS_URL: the claims iss and aud that a token must have.',
    );
  }
  if (!JWT_SECRET && JWT_SECRET_PREVIOUS) {
    throw new ConfigError(
      'JWT_SECRET_PREVIOUS is for the rotation of JWT_SECRET: set it with JWT_SECRET only.',
    );
  }
  if (JWT_SECRET && JWT_SECRET === JWT_SECRET_PREVIOUS) {
    throw new ConfigError('JWT_SECRET_PREVIOUS must differ from JWT_SECRET.');
  }
}

/**
 * Reads and checks the settings.
 * @throws ConfigError
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = read(settings, env);
  assertTokenSettings(values);
  // One heartbeat may be lost, and the next one too.
  const HEARTBEAT_SECONDS = values.HEARTBEAT_SECONDS ?? values.LEASE_SECONDS / 3;
  if (HEARTBEAT_SECONDS >= values.LEASE_SECONDS) {
    throw new ConfigError('HEARTBEAT_SECONDS must be less than LEASE_SECONDS, best a third of it.');
  }
  const WORKSPACE_CONNECTIONS = values.WORKSPACE_CONNECTIONS ?? Math.ceil(values.DATABASE_POOL_SIZE / 2);
  if (WORKSPACE_CONNECTIONS > values.DATABASE_POOL_SIZE) {
    throw new ConfigError('WORKSPACE_CONNECTIONS must not be more than DATABASE_POOL_SIZE, best half of it.');
  }
  return {
    ...values,
    HEARTBEAT_SECONDS,
    WORKSPACE_CONNECTIONS,
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

@Module({})
class ConfigModule {}

/** Makes the settings injectable everywhere, under CONFIG. */
export const configModule = (config: Config): DynamicModule => ({
  module: ConfigModule,
  global: true,
  providers: [{ provide: CONFIG, useValue: config }],
  exports: [CONFIG],
});
