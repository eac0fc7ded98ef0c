import { type DynamicModule, Module } from '@nestjs/common';
import { resolve } from 'node:path';
import {
  address,
  integer,
  oneOf,
  readEnvironment,
  readModels,
  readRuntime,
  SettingsError as ConfigError,
  VOICE_SETTINGS,
} from '@parley/voice';
import { str } from 'envalid';
import {
  addresses,
  boolean,
  claim,
  databaseAddress,
  destinations,
  domains,
  name,
  networks,
  number,
  pairs,
  probabilities,
  processCount,
  publicKey,
  type RequiredClaim,
  scopeWord,
  secret,
  someOf,
  uuid,
  webSocketOrigins,
} from './config-validators';

export {
  AGENT_SCOPE,
  isStrongKey,
  MCP_ACT_SCOPE,
  OPERATE_SCOPE,
  READ_SCOPE,
  SCOPE_WORDS,
  urlsByHost,
} from './config-validators';

export { ConfigError };

const ALL_ROLES = ['http', 'background', 'runtime'] as const;

/** The outcomes of the calls of the simulated runtime. */
export const RUNTIME_OUTCOMES = [
  'answered',
  'no_answer',
  'busy',
  'voicemail',
  'hang_up',
  'opt_out',
  'crash',
] as const;
export type RuntimeOutcome = (typeof RUNTIME_OUTCOMES)[number];
export type Role = (typeof ALL_ROLES)[number];

/** The names are those of OpenTelemetry. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Every setting that the application reads, with its default. `.env.example` and docs/settings.md describe each. */
const settings = {
  PORT: integer({ min: 0, max: 65_535 })({ default: 3000 }),
  HOST: str({ default: '0.0.0.0' }),
  MONITORING_PORT: integer({ min: 0, max: 65_535 })({ default: undefined }),
  PUBLIC_URL: address('http:', 'https:')({ default: undefined }),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')({ default: 'info' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http:', 'https:')({ default: undefined }),
  OTEL_EXPORTER_OTLP_HEADERS: pairs({ default: {} }),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf('http/json', 'http/protobuf', 'grpc')({ default: 'http/json' }),
  OTEL_SERVICE_NAME: str({ default: undefined }),
  OTEL_RESOURCE_ATTRIBUTES: pairs({ default: {} }),
  OTEL_TRACES_SAMPLER: oneOf(...SAMPLERS)({ default: 'parentbased_always_on' }),
  OTEL_TRACES_SAMPLER_ARG: number({ min: 0, max: 1 })({ default: 1 }),
  OTEL_BSP_SCHEDULE_DELAY: integer({ min: 1, max: 600_000 })({ default: 5_000 }),
  OTEL_BSP_MAX_QUEUE_SIZE: integer({ min: 1, max: 1_000_000 })({ default: 2_048 }),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer({ min: 1, max: 600_000 })({ default: 10_000 }),
  OTEL_SDK_DISABLED: boolean({ default: false }),
  ROLES: someOf(...ALL_ROLES)({ default: undefined }),
  PROCESSES: processCount({ max: 256 })({ default: 1 }),
  DRAIN_SECONDS: integer({ min: 0, max: 20 })({ default: 5 }),
  RUNTIME_OUTCOMES: probabilities(...RUNTIME_OUTCOMES)({ default: undefined }),
  VOICE: oneOf('on', 'off')({ default: 'on' }),
  VOICE_ORIGINS: webSocketOrigins({ default: [] }),
  // Also those of `npm run voice`, which often reads the same file as the server.
  ...VOICE_SETTINGS,
  PARLEY_DATA: str({ default: '.parley' }),
  DEMO_WORKSPACE: boolean({ default: true }),

  DATABASE_URL: databaseAddress(),
  REPORTS_DATABASE_URL: databaseAddress({ default: undefined }),
  MIGRATE: boolean({ default: true }),
  DATABASE_POOL_SIZE: integer({ min: 2, max: 500 })({ default: 10 }),
  WORKSPACE_CONNECTIONS: integer({ min: 1, max: 500 })({ default: undefined }),

  RABBITMQ_URL: addresses('amqp:', 'amqps:')({ default: undefined }),
  BROKER_PREFIX: name({ default: 'voice' }),

  JWT_SECRET: secret({ default: undefined }),
  JWT_PUBLIC_KEY: publicKey({ default: undefined }),
  JWKS_URL: address('https:', 'http:')({ default: undefined }),
  JWT_SECRET_PREVIOUS: secret({ default: undefined }),
  JWT_ISSUER: str({ default: undefined }),
  JWT_AUDIENCE: str({ default: undefined }),
  JWT_REQUIRED_SCOPE: scopeWord({ default: undefined }),

  OIDC_ISSUER: address('https:', 'http:')({ default: undefined }),
  OIDC_CLIENT_ID: str({ default: undefined }),
  OIDC_CLIENT_SECRET: str({ default: undefined }),
  OIDC_NAME: str({ default: 'single sign-on' }),
  OIDC_ALLOWED_DOMAINS: domains({ default: [] }),
  OIDC_REQUIRED_CLAIM: claim({ default: undefined }),
  OIDC_DEFAULT_ROLE: oneOf('operator', 'viewer')({ default: undefined }),
  OIDC_WORKSPACE: uuid({ default: undefined }),

  TRUST_PROXY: networks({ words: ['loopback'], shortestPrefix: 1 })({ default: [] }),
  PUBLIC_REQUESTS_PER_MINUTE: integer({ min: 1, max: 1_000_000_000 })({ default: 6_000 }),
  WRONG_CREDENTIALS_PER_MINUTE: integer({ min: 1, max: 1_000_000_000 })({ default: 300 }),

  UPLOAD_MAX_MB: integer({ min: 1, max: 1_000 })({ default: 25 }),
  DOCUMENT_WAIT_MS: integer({ min: 1, max: 600_000 })({ default: 20_000 }),
  RECORDING_MAX_MB: integer({ min: 0, max: 10_000 })({ default: 200 }),
  ALLOW_PRIVATE_ADDRESSES: boolean({ default: false }),
  DENIED_NETWORKS: networks()({ default: [] }),

  RATE_LIMIT_PER_MINUTE: integer({ min: 1, max: 1_000_000_000 })({ default: 600_000 }),
  PUBLISH_TIMEOUT_MS: integer({ min: 50, max: 60_000 })({ default: 2_000 }),
  WORKSPACE_CONCURRENCY: integer({ min: 1, max: 1_000_000 })({ default: 10_000 }),
  WEBCALL_WAIT_MS: integer({ min: 1, max: 10_000 })({ default: 10_000 }),
  TRANSFER_MAX_MINUTES: integer({ min: 1, max: 240 })({ default: 60 }),
  CALL_TTL_SECONDS: integer({ min: 1, max: 86_400 })({ default: 60 }),
  LEASE_SECONDS: integer({ min: 1, max: 3_600 })({ default: 30 }),
  HEARTBEAT_SECONDS: integer({ min: 1, max: 3_599 })({ default: undefined }),
  JOB_LEASE_SECONDS: integer({ min: 1, max: 3_600 })({ default: 30 }),
  JOB_CONCURRENCY: integer({ min: 1, max: 100 })({ default: 4 }),
  TOOL_CONCURRENCY: integer({ min: 1, max: 1_000 })({ default: 20 }),
  WEBHOOK_CONCURRENCY: integer({ min: 1, max: 1_000 })({ default: 50 }),
  WEBHOOK_PAUSE_HOURS: number({ min: 0.001, max: 168 })({ default: 12 }),
  WEBHOOK_RETENTION_DAYS: integer({ min: 1, max: 3_650 })({ default: 30 }),
  AUDIT_RETENTION_DAYS: integer({ min: 1, max: 36_500 })({ default: 730 }),
  VERIFY_MINUTES: integer({ min: 0, max: 10_080 })({ default: 60 }),
  SWEEP_INTERVAL_MS: integer({ min: 50, max: 60_000 })({ default: 2_000 }),

  CAMPAIGN_MAX_MB: integer({ min: 1, max: 10_000 })({ default: 100 }),
  CAMPAIGN_MAX_ROWS: integer({ min: 1, max: 100_000_000 })({ default: 1_000_000 }),
  CAMPAIGN_WAIT_MS: integer({ min: 1, max: 600_000 })({ default: 60_000 }),
  CAMPAIGN_CONCURRENCY: integer({ min: 1, max: 10_000 })({ default: 10 }),
  CAMPAIGN_CALL_TTL_SECONDS: integer({ min: 1, max: 604_800 })({ default: 86_400 }),
  CAMPAIGN_INTERVAL_MS: integer({ min: 50, max: 60_000 })({ default: 1_000 }),

  REHEARSAL_CONCURRENCY: integer({ min: 1, max: 1_000 })({ default: 8 }),
  REHEARSAL_TOKENS_PER_DAY: integer({ min: 0, max: 1_000_000_000_000 })({ default: 5_000_000 }),
  REHEARSAL_DAYS: integer({ min: 1, max: 3_650 })({ default: 90 }),

  AGENTS_QUOTA: integer({ min: 1, max: 1_000_000 })({ default: 10_000 }),
  KNOWLEDGE_BASE_MB_QUOTA: integer({ min: 1, max: 100_000_000 })({ default: 5_000 }),
  RECORDINGS_MB_QUOTA: integer({ min: 1, max: 100_000_000 })({ default: 20_000 }),
  API_KEYS_QUOTA: integer({ min: 1, max: 1_000_000 })({ default: 1_000 }),
  PHONE_NUMBERS_QUOTA: integer({ min: 1, max: 10_000_000 })({ default: 10_000 }),
  RECIPIENTS_QUOTA: integer({ min: 1, max: 1_000_000_000 })({ default: 5_000_000 }),

  PHONE_NUMBERS: oneOf('open', 'granted')({ default: 'open' }),
  ALLOWED_DESTINATIONS: destinations()({ default: [] }),
  // Satellite networks and international premium rate numbers.
  DENIED_DESTINATIONS: destinations('none')({ default: ['870', '881', '882', '883', '979'] }),
};

export const SETTING_NAMES = Object.keys(settings);

type TokenSettings = {
  [Name in keyof typeof settings as Name extends `JW${string}` ? Name : never]?: string;
};

/** @throws ConfigError if the settings of tokens contradict each other */
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

interface TracingSettings {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  OTEL_EXPORTER_OTLP_PROTOCOL: string;
  OTEL_SDK_DISABLED: boolean;
}

/** @throws ConfigError if spans would be sent by a protocol that is not supported */
function assertTracingSettings(settings: TracingSettings): void {
  // Other programs of the same machine may set the protocol for themselves.
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || settings.OTEL_SDK_DISABLED) return;
  if (settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'grpc') {
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported: set http/json or http/protobuf, and OTEL_EXPORTER_OTLP_ENDPOINT to the port of the receiver for HTTP, usually 4318.',
    );
  }
}

interface OidcSettings {
  PUBLIC_URL: string | undefined;
  OIDC_ISSUER: string | undefined;
  OIDC_CLIENT_ID: string | undefined;
  OIDC_CLIENT_SECRET: string | undefined;
  OIDC_NAME: string;
  OIDC_ALLOWED_DOMAINS: string[];
  OIDC_REQUIRED_CLAIM: RequiredClaim | undefined;
  OIDC_DEFAULT_ROLE: 'operator' | 'viewer' | undefined;
  OIDC_WORKSPACE: string | undefined;
}

/**
 * The settings of the identity provider that people sign in with; undefined: there is none.
 * @throws ConfigError
 */
function readOidcSettings({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, ...others }: OidcSettings) {
  const { PUBLIC_URL, OIDC_ALLOWED_DOMAINS, OIDC_REQUIRED_CLAIM, OIDC_DEFAULT_ROLE, OIDC_WORKSPACE } = others;
  const isLimited = OIDC_ALLOWED_DOMAINS.length > 0 || OIDC_REQUIRED_CLAIM !== undefined;
  if (!OIDC_ISSUER) {
    if (OIDC_CLIENT_ID || OIDC_CLIENT_SECRET || isLimited || OIDC_DEFAULT_ROLE || OIDC_WORKSPACE)
      throw new ConfigError('The settings OIDC_* need OIDC_ISSUER, the address of the identity provider.');
    return undefined;
  }
  if (!OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET)
    throw new ConfigError('Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET with OIDC_ISSUER.');
  if (!PUBLIC_URL)
    throw new ConfigError(
      'PUBLIC_URL is needed with OIDC_ISSUER: the identity provider sends browsers there.',
    );
  if ((OIDC_DEFAULT_ROLE === undefined) !== (OIDC_WORKSPACE === undefined))
    throw new ConfigError(
      'Set OIDC_DEFAULT_ROLE and OIDC_WORKSPACE together: the role and the workspace of people without an invitation.',
    );
  if (OIDC_DEFAULT_ROLE && !isLimited)
    throw new ConfigError(
      'OIDC_DEFAULT_ROLE needs OIDC_ALLOWED_DOMAINS or OIDC_REQUIRED_CLAIM: the provider may have users who are not yours.',
    );
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    redirectUri: new URL(`${PUBLIC_URL.replace(/\/+$/, '')}/oidc/callback`).href,
    name: others.OIDC_NAME,
    allowedDomains: OIDC_ALLOWED_DOMAINS,
    requiredClaim: OIDC_REQUIRED_CLAIM,
    /** The place of people without an invitation. undefined: they are refused */
    uninvited:
      OIDC_DEFAULT_ROLE && OIDC_WORKSPACE
        ? { role: OIDC_DEFAULT_ROLE, workspaceId: OIDC_WORKSPACE }
        : undefined,
  };
}

/**
 * The language models that this process can ask. OPENAI_BASE_URL is refused only where the voice runtime is.
 * @throws ConfigError
 */
const readModelSettings = ({ OPENAI_BASE_URL, LOCAL_BASE_URL, ...env }: NodeJS.ProcessEnv) =>
  readModels(env).models;

/**
 * Reads and checks the settings.
 * @throws ConfigError
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = readEnvironment(settings, env);
  assertTokenSettings(values);
  assertTracingSettings(values);
  // Two consecutive heartbeats may be lost.
  const HEARTBEAT_SECONDS = values.HEARTBEAT_SECONDS ?? values.LEASE_SECONDS / 3;
  if (HEARTBEAT_SECONDS >= values.LEASE_SECONDS) {
    throw new ConfigError('HEARTBEAT_SECONDS must be less than LEASE_SECONDS. A third of it is recommended.');
  }
  const WORKSPACE_CONNECTIONS = values.WORKSPACE_CONNECTIONS ?? Math.ceil(values.DATABASE_POOL_SIZE / 2);
  if (WORKSPACE_CONNECTIONS > values.DATABASE_POOL_SIZE) {
    throw new ConfigError(
      'WORKSPACE_CONNECTIONS must not be more than DATABASE_POOL_SIZE. Half of it is recommended.',
    );
  }
  // With RabbitMQ, the simulated runtime would take calls from the real runtimes.
  const ROLES = values.ROLES ?? (values.RABBITMQ_URL ? ['http', 'background'] : [...ALL_ROLES]);
  // Beside RabbitMQ, voice runtimes are processes of their own.
  const hasVoice = values.VOICE === 'on' && !values.RABBITMQ_URL && ROLES.includes('runtime');
  return {
    ...values,
    HEARTBEAT_SECONDS,
    WORKSPACE_CONNECTIONS,
    PARLEY_DATA: resolve(values.PARLEY_DATA),
    ROLES,
    oidc: readOidcSettings(values),
    /** undefined: the voice runtime is not in this process */
    voice: hasVoice ? readRuntime(env, 'PUBLIC_URL') : undefined,
    models: readModelSettings(env),
  };
}

export type Config = ReturnType<typeof loadConfig>;

/** The settings of the identity provider. */
export type OidcConfig = NonNullable<Config['oidc']>;

/** A name for an address that a server listens on, which may stand for all addresses of the machine. */
const browsableHost = (host: string) => (['0.0.0.0', '::'].includes(host) ? 'localhost' : host);

/** The address at which browsers reach the installation, as far as the settings say it. Without a slash at its end. */
export function getPublicUrl({
  PUBLIC_URL,
  HOST,
  PORT,
}: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return (PUBLIC_URL ?? `http://${browsableHost(HOST)}:${PORT}`).replace(/\/+$/, '');
}

type WholeNumber = {
  [Name in keyof Config]: Config[Name] extends number ? Name : never;
}[keyof Config & keyof typeof settings];

/** The default of a setting that is a whole number. */
export const getDefault = (name: WholeNumber) => settings[name].default as number;

/** @throws ConfigError if another process would have to take part, which the in-process broker does not reach */
export function assertRolesMeet({ RABBITMQ_URL, ROLES, PROCESSES }: Config): void {
  if (RABBITMQ_URL) return;
  if (PROCESSES > 1) {
    throw new ConfigError(
      'PROCESSES must be 1 where RABBITMQ_URL is not set: the in-process broker does not reach other processes.',
    );
  }
  if (ROLES.includes('http') && ROLES.includes('background')) return;
  throw new ConfigError(
    'ROLES must include http and background where RABBITMQ_URL is not set: the in-process broker does not reach other processes.',
  );
}

/** The settings that the kit for tests of the runtime contract gives to a runtime. */
const conformanceSettings = {
  PARLEY_CONFORMANCE: oneOf('1')({ default: undefined }),
  PARLEY_CAPACITY: integer({ min: 1, max: 2_000 })({ default: undefined }),
  PARLEY_DRAIN_SECONDS: integer({ min: 0, max: 86_400 })({ default: undefined }),
};

/**
 * The settings of a runtime in its own process, which has no database and signs no tokens.
 * @throws ConfigError
 */
export function loadRuntimeConfig(env: NodeJS.ProcessEnv = process.env) {
  const { LOG_LEVEL, RABBITMQ_URL, BROKER_PREFIX, PUBLISH_TIMEOUT_MS, HOST, PORT, PUBLIC_URL } = settings;
  const { RUNTIME_OUTCOMES: outcomes } = settings;
  const broker = { RABBITMQ_URL, BROKER_PREFIX, PUBLISH_TIMEOUT_MS };
  const used = {
    LOG_LEVEL,
    ...broker,
    HOST,
    PORT,
    PUBLIC_URL,
    RUNTIME_OUTCOMES: outcomes,
    ...conformanceSettings,
  };
  const values = readEnvironment(used, env);
  if (!values.RABBITMQ_URL) {
    throw new ConfigError('RABBITMQ_URL is not set: a runtime needs the broker of the server.');
  }
  const roles: Role[] = ['runtime'];
  // The server declares the topology, as the contract says.
  return { ...values, RABBITMQ_URL: values.RABBITMQ_URL, ROLES: roles, declaresTopology: false };
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
