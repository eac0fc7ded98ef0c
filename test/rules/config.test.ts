import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, assertRolesMeet, loadConfig, SETTING_NAMES } from '../../src/config';
import { readCompose } from '../support/compose';
import { ecKey, rsaKey } from '../support/identity-provider';

const DATABASE_URL = 'postgres://parley:secret@db.example/parley';
const JWT_SECRET = 'a secret of thirty-two bytes or more';

interface Bounds {
  accepts: string[];
  refuses: string[];
  /** The message for a refused value. */
  message: string;
}

const address = (message: string, ...accepts: string[]): Bounds => ({
  accepts,
  refuses: ['mysql://parley:secret@db.example/parley', 'db.example', 'postgres', '//'],
  message,
});

const prefixes = (message: string, ...words: string[]): Bounds => ({
  accepts: ['1', '+49', '49,+4420, 870', '123456789012345', ...words],
  refuses: ['0', '+', '49,', '1234567890123456', 'DE', '49 44', '*', ...(words.length === 0 ? ['none'] : [])],
  message,
});

const publicKey = rsaKey().publicKey;

const OIDC = {
  PUBLIC_URL: 'https://parley.example/',
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'parley',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ALLOWED_DOMAINS: 'example.com',
  OIDC_DEFAULT_ROLE: 'viewer',
  OIDC_WORKSPACE: '01980f6c-0a11-7c3e-8f10-2b6f0c9d4a01',
};

/** A setting of each kind. */
const bounds: Record<string, Bounds> = {
  PUBLIC_URL: address('must be a URL that begins with http:// or https://.', 'https://parley.example.com'),
  LOG_LEVEL: {
    accepts: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    refuses: ['loud', 'INFO'],
    message: 'must be one of fatal, error, warn, info, debug, trace, silent.',
  },
  RUNTIME_OUTCOMES: {
    accepts: ['answered=0.6,no_answer=0.3,busy=0.1', 'busy=1', 'answered=.5, crash=0.5'],
    refuses: [
      'busy',
      'busy=0.5',
      'busy=0.5,busy=0.5',
      'asleep=1',
      'busy=2,answered=-1',
      'busy=1e0',
      'busy=1=1',
    ],
    message:
      'must be probabilities that add up to 1, such as answered=0.6,busy=0.4, of answered, no_answer, busy, voicemail, hang_up, opt_out, crash.',
  },
  ROLES: {
    accepts: ['http', 'background', 'runtime', 'http,background,runtime', 'http, background'],
    refuses: ['everything', 'http,', ',', 'http background', 'HTTP'],
    message: 'must be one or more of http, background, runtime, separated by commas.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    accepts: ['authorization=Bearer%20secret, x-tenant=7', 'service.version=1,a=b=c'],
    refuses: ['no pair', '=value', 'a=1,,b=2', 'a=%zz'],
    message: 'must be pairs separated by commas, such as name=value,other=value.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    accepts: ['0', '1', '0.25', '.5'],
    refuses: ['1.1', '-1', 'half', '1e-3'],
    message: 'must be a number from 0 to 1.',
  },
  DRAIN_SECONDS: {
    accepts: ['0', '20'],
    refuses: ['-1', '21', '1.5', '1e3', '0x10', 'many', ' ', '9'.repeat(400)],
    message: 'must be a whole number from 0 to 20.',
  },
  VOICE_SPEECH: { accepts: ['carrier'], refuses: ['deepgram', ' '], message: 'must be carrier.' },
  VOICE_FALLBACKS: {
    accepts: ['language=groq/llama-3.3-70b', 'local'],
    refuses: ['thinking=groq', 'language', 'language=', 'language=groq;language=groq', ' '],
    message:
      'must be local, or such as language=groq/MODEL,openai;recognition=NAME;synthesis=NAME/VOICE, with up to 5 providers of a part.',
  },
  VOICE_HEDGE_MS: {
    accepts: ['200', '5000', 'off'],
    refuses: ['199', '5001', '1.5', 'never', ' '],
    message: 'must be off or a whole number from 200 to 5000.',
  },
  VOICE_BREAKER: {
    accepts: ['1/1', '100/3600', 'off'],
    refuses: ['0/30', '3/0', '101/30', '3/3601', '3', '3/30/1', ' '],
    message: 'must be off, or failures from 1 to 100 and seconds from 1 to 3600, such as 3/30.',
  },
  VOICE_ORIGINS: {
    accepts: ['wss://voice.example.com', 'ws://127.0.0.1:3010, https://Voice.example.com:8443/'],
    refuses: [
      'voice.example.com',
      'ftp://voice.example.com',
      'wss://voice.example.com/x',
      'wss://a; script-src *',
    ],
    message:
      'must be a comma-separated list of origins that begin with wss:// or ws://, such as wss://voice.example.com.',
  },
  DATABASE_URL: address(
    'must be a URL that begins with postgres:// or postgresql://; several hosts are separated by commas.',
    'postgres://db.example/parley',
    'postgres://parley:a,b@one.example:5432,two.example:5433/parley',
    'postgresql://parley:secret@db.example:5433/parley?sslmode=require',
  ),
  RABBITMQ_URL: address(
    'must be URLs that begin with amqp:// or amqps://, separated by commas.',
    'amqp://guest:guest@mq.example:5672',
    'amqps://mq.example/voice',
    'amqp://one.example, amqp://parley:a%2Cb@two.example',
  ),
  BROKER_PREFIX: {
    accepts: ['voice', 'acme.voice-2_eu', 'v'.repeat(100)],
    refuses: ['v'.repeat(101), 'two words', 'voice#', 'grüße'],
    message: 'must have up to 100 letters, digits, dots, underscores and hyphens.',
  },
  JWT_SECRET: {
    accepts: ['x'.repeat(32), 'ü'.repeat(16)],
    refuses: ['x'.repeat(31), 'ü'.repeat(15), ' '],
    message: 'must have at least 32 bytes.',
  },
  JWT_PUBLIC_KEY: {
    accepts: [publicKey, publicKey.replaceAll('\n', '\\n'), ecKey().publicKey],
    refuses: [
      'secret',
      JWT_SECRET,
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n',
      rsaKey(1_024).publicKey,
      rsaKey().privateKey,
      ecKey('P-384').publicKey,
      'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
    ],
    message:
      'must be a public key in PEM form (-----BEGIN PUBLIC KEY-----), RSA with 2,048 bits or more or EC on P-256.',
  },
  JWT_REQUIRED_SCOPE: {
    accepts: ['parley', 'parley:calls', 'https://parley.example/use'],
    refuses: ['two words', ' ', 'agent:calls', 'read', 'operate', 'mcp:act', 'a"b', 'grüße'],
    message:
      'must be one word of a scope, without spaces, that is none of read, operate, mcp:act and does not begin with agent:.',
  },
  OIDC_ALLOWED_DOMAINS: {
    accepts: ['example.com', 'Example.com, grüße.example'],
    refuses: ['example.com,', 'ada@example.com', '*.example.com', ' '],
    message: 'must be a comma-separated list of domains, such as example.com.',
  },
  OIDC_REQUIRED_CLAIM: {
    accepts: ['groups=parley', 'https://id.example/role=a=b'],
    refuses: ['groups', 'groups=', '=parley', ' '],
    message: 'must be a claim and its value, such as groups=parley.',
  },
  OIDC_WORKSPACE: {
    accepts: [OIDC.OIDC_WORKSPACE],
    refuses: ['workspace', `${OIDC.OIDC_WORKSPACE}0`, ' '],
    message: 'must be a UUID.',
  },
  TRUST_PROXY: {
    accepts: ['loopback', '10.0.0.7', '10.0.0.0/8, fd00::/8', '::1', 'loopback,192.0.2.1'],
    refuses: [
      'true',
      '1',
      'proxy.example',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0.0/8/8',
      '10.0.0.7,',
      '::1/129',
    ],
    message:
      'must be a comma-separated list of addresses or networks, such as 203.0.113.0/24 and 2001:db8::/32, or loopback.',
  },
  PROCESSES: {
    accepts: ['1', '256', 'auto'],
    refuses: ['0', '257', '-1', '1.5', 'many', ' '],
    message: 'must be auto or a whole number from 1 to 256.',
  },
  MIGRATE: {
    accepts: ['true', 'false'],
    refuses: ['yes', '1', 'TRUE'],
    message: 'must be true or false.',
  },
  DENIED_NETWORKS: {
    accepts: [
      '203.0.113.0/24',
      '203.0.113.7',
      '203.0.113.7/8',
      '0.0.0.0/0',
      '2001:db8::/32',
      '::ffff:203.0.113.0/120',
      '203.0.113.0/24, 2001:db8::1/128',
    ],
    refuses: [
      'example.com',
      '203.0.113.0/33',
      '203.0.113.0/',
      '203.0.113.0/-1',
      '203.0.113/24',
      '203.0.113.0/24/24',
      '203.0.113.0-203.0.113.9',
      '0x7f.1/8',
      '2001:db8::/129',
      'fe80::1%eth0',
      '203.0.113.0/24,',
      '203.0.113.0/24 198.51.100.0/24',
    ],
    message:
      'must be a comma-separated list of addresses or networks, such as 203.0.113.0/24 and 2001:db8::/32.',
  },
  ALLOWED_DESTINATIONS: prefixes(
    'must be a comma-separated list of prefixes of phone numbers, such as 49 or +4915.',
  ),
  DENIED_DESTINATIONS: prefixes(
    'must be a comma-separated list of prefixes of phone numbers, such as 49 or +4915, or none.',
    'none',
  ),
};

const JWT_ISSUER = 'https://id.example/';
const JWT_AUDIENCE = 'parley';
const ofProviders = ['JWT_PUBLIC_KEY', 'JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_REQUIRED_SCOPE'];

/** The settings that are required together with the tested one. */
const environment = (name: string, value: string) => ({
  DATABASE_URL,
  RABBITMQ_URL: 'amqp://mq.example',
  ...(ofProviders.includes(name) ? { JWT_ISSUER, JWT_AUDIENCE } : { JWT_SECRET }),
  ...(/^JWT_(ISSUER|AUDIENCE|REQUIRED_SCOPE)$/.test(name) && { JWT_PUBLIC_KEY: publicKey }),
  ...(name.startsWith('OIDC_') && OIDC),
  [name]: value,
});

function getError(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'none';
}

describe('The settings', () => {
  test.each(Object.entries(bounds))('%s accepts valid values', (name, { accepts }) => {
    for (const value of accepts) expect(getError(environment(name, value))).toBe('none');
  });

  test.each(Object.entries(bounds))(
    '%s refuses other values with a message that names the valid ones and not the value',
    (name, { refuses, message }) => {
      for (const value of refuses) {
        expect({ value, message: getError(environment(name, value)) }).toEqual({
          value,
          message: `${name} ${message}`,
        });
      }
    },
  );

  test('name the providers that take no part without a key', () => {
    expect(loadConfig({ DATABASE_URL, JWT_SECRET }).voice).toEqual({
      capacity: { web: 4, phone: 0 },
      drainSeconds: 60,
      fallbacks: {
        ...{ recognition: [], language: [], synthesis: [] },
        ...{ hasLocal: false, lastResort: 'apologise' },
      },
      rehearsals: 8,
      accounts: {},
      models: new Map(),
      notes: [
        'LLM_BASE_URL and LLM_API_KEY are not set: agents of openai are answered by the scripted brain.',
        'DEEPGRAM_API_KEY is not set: calls of agents of deepgram are recognised on this machine.',
        'ELEVENLABS_API_KEY is not set: calls of agents of elevenlabs are spoken on this machine.',
        'OPENAI_REALTIME_API_KEY is not set: calls of agents of openai-realtime are answered by the scripted brain.',
      ],
    });
  });

  test('read prefixes of destinations with and without a plus', () => {
    const read = (env: NodeJS.ProcessEnv) => loadConfig({ DATABASE_URL, JWT_SECRET, ...env });

    expect(read({ ALLOWED_DESTINATIONS: '49, +4420' }).ALLOWED_DESTINATIONS).toEqual(['49', '4420']);
    expect(read({ DENIED_DESTINATIONS: 'none' }).DENIED_DESTINATIONS).toEqual([]);
  });

  test('give a workspace no more connections than the pool has', () => {
    const required = { DATABASE_URL, JWT_SECRET, DATABASE_POOL_SIZE: '4' };

    expect(loadConfig(required).WORKSPACE_CONNECTIONS).toBe(2);
    expect(getError({ ...required, WORKSPACE_CONNECTIONS: '5' })).toBe(
      'WORKSPACE_CONNECTIONS must not be more than DATABASE_POOL_SIZE. Half of it is recommended.',
    );
  });

  test('refuse gRPC for traces only where traces are sent', () => {
    const required = { DATABASE_URL, JWT_SECRET, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    const receiver = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317' };

    expect(getError({ ...required, ...receiver })).toBe(
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported: set http/json or http/protobuf, and ' +
        'OTEL_EXPORTER_OTLP_ENDPOINT to the port of the receiver for HTTP, usually 4318.',
    );
    expect(loadConfig(required).OTEL_EXPORTER_OTLP_PROTOCOL).toBe('grpc');
    expect(loadConfig({ ...required, ...receiver, OTEL_SDK_DISABLED: 'true' }).OTEL_SDK_DISABLED).toBe(true);
  });

  test('require a heartbeat interval shorter than the lease', () => {
    const required = { DATABASE_URL, JWT_SECRET, LEASE_SECONDS: '5' };

    expect(loadConfig(required).HEARTBEAT_SECONDS).toBeCloseTo(5 / 3);
    expect(loadConfig({ ...required, HEARTBEAT_SECONDS: '4' }).HEARTBEAT_SECONDS).toBe(4);
    expect(getError({ ...required, HEARTBEAT_SECONDS: '5' })).toBe(
      'HEARTBEAT_SECONDS must be less than LEASE_SECONDS. A third of it is recommended.',
    );
  });

  test('start no simulated runtime with RabbitMQ, unless ROLES includes it', () => {
    const withBroker = { DATABASE_URL, JWT_SECRET, RABBITMQ_URL: 'amqp://mq.example' };

    expect(loadConfig(withBroker).ROLES).toEqual(['http', 'background']);
    expect(loadConfig({ ...withBroker, ROLES: 'http,runtime' }).ROLES).toEqual(['http', 'runtime']);
  });

  test('include the voice runtime with the simulated one, unless VOICE is off, and never beside RabbitMQ', () => {
    const env = { DATABASE_URL, JWT_SECRET };

    expect(loadConfig({ ...env, VOICE_CAPACITY: '7' }).voice).toMatchObject({
      capacity: { web: 7, phone: 0 },
    });
    expect(loadConfig({ ...env, VOICE: 'off' }).voice).toBeUndefined();
    expect(loadConfig({ ...env, ROLES: 'http,background' }).voice).toBeUndefined();
    expect(loadConfig({ ...env, RABBITMQ_URL: 'amqp://mq.example', ROLES: 'http,runtime' }).voice).toBe(
      undefined,
    );
  });

  test('name the language models of the voice runtime', () => {
    const env = { DATABASE_URL, JWT_SECRET, OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1' };

    expect(loadConfig({ ...env, OLLAMA_API_KEY: 'key' }).voice?.models.get('ollama')).toEqual({
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: 'key',
    });
    expect(getError({ ...env, OLLAMA_BASE_URL: 'localhost', OLLAMA_API_KEY: 'key' })).toBe(
      'OLLAMA_BASE_URL must be a URL that begins with https:// or http://.',
    );
    expect(getError({ DATABASE_URL, JWT_SECRET, LLM_BASE_URL: 'https://api.openai.com/v1' })).toBe(
      'LLM_API_KEY is needed for api.openai.com.',
    );
  });

  test('require one process with http and background without RabbitMQ', () => {
    const meet = (env: NodeJS.ProcessEnv) => () =>
      assertRolesMeet(loadConfig({ DATABASE_URL, JWT_SECRET, ...env }));
    for (const ROLES of ['http', 'background', 'runtime', 'http,runtime', 'background,runtime']) {
      expect(meet({ ROLES })).toThrow('ROLES must include http and background where RABBITMQ_URL is not set');
      expect(meet({ ROLES, RABBITMQ_URL: 'amqp://mq.example' })).not.toThrow();
    }
    expect(meet({ PROCESSES: '2' })).toThrow('PROCESSES must be 1 where RABBITMQ_URL is not set');
    expect(meet({ PROCESSES: '2', RABBITMQ_URL: 'amqp://mq.example' })).not.toThrow();
    expect(meet({ ROLES: 'http,background' })).not.toThrow();
    expect(meet({})).not.toThrow();
  });

  test('that are empty count as not set', () => {
    const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, '']));

    expect(loadConfig({ ...empty, DATABASE_URL, JWT_SECRET })).toEqual(
      loadConfig({ DATABASE_URL, JWT_SECRET }),
    );
    expect(getError({ JWT_SECRET, DATABASE_URL: '' })).toBe('DATABASE_URL is not set.');
  });

  test('that are wrong are all reported at once', () => {
    const wrong = { JWT_SECRET: 'short', PORT: '-1', ROLES: 'none', VOICE_CARRIER: 'pigeon' };
    expect(getError({ DATABASE_URL, ...wrong }).split('\n')).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'ROLES must be one or more of http, background, runtime, separated by commas.',
      'VOICE_CARRIER must be one of line, twilio, telnyx, asterisk.',
      'JWT_SECRET must have at least 32 bytes.',
    ]);
  });

  test.each([
    ['none', {}],
    ['a secret and a public key', { JWT_SECRET, JWT_PUBLIC_KEY: publicKey }],
    ['a secret and a JWKS address', { JWT_SECRET, JWKS_URL: 'https://id.example/jwks.json' }],
    [
      'a public key and a JWKS address',
      { JWT_PUBLIC_KEY: publicKey, JWKS_URL: 'https://id.example/jwks.json' },
    ],
  ])('accept exactly one key for tokens: not %s', (_, keys) => {
    expect(getError({ DATABASE_URL, ...keys })).toBe(
      'Set exactly one of JWT_SECRET (at least 32 bytes), JWT_PUBLIC_KEY and JWKS_URL.',
    );
  });

  test.each([
    ['JWT_PUBLIC_KEY', publicKey],
    ['JWKS_URL', 'https://id.example/jwks.json'],
  ])('require the issuer and the audience of the tokens that %s checks', (name, value) => {
    const provider = { DATABASE_URL, [name]: value };
    const message =
      'Set JWT_ISSUER and JWT_AUDIENCE with JWT_PUBLIC_KEY or JWKS_URL: the claims iss and aud that a token must have.';

    expect(getError(provider)).toBe(message);
    expect(getError({ ...provider, JWT_ISSUER })).toBe(message);
    expect(getError({ ...provider, JWT_AUDIENCE })).toBe(message);
    expect(getError({ ...provider, JWT_ISSUER, JWT_AUDIENCE })).toBe('none');
  });

  test.each(['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_REQUIRED_SCOPE'])(
    'refuse %s together with JWT_SECRET, where it would have no effect',
    (name) => {
      expect(getError({ DATABASE_URL, JWT_SECRET, [name]: 'parley' })).toBe(
        'JWT_ISSUER, JWT_AUDIENCE and JWT_REQUIRED_SCOPE are for tokens of an identity provider: set them with JWT_PUBLIC_KEY or JWKS_URL, not with JWT_SECRET.',
      );
    },
  );

  test('accept a previous secret only together with a different current one', () => {
    const previous = { DATABASE_URL, JWT_SECRET_PREVIOUS: JWT_SECRET };

    expect(getError({ ...previous, JWT_SECRET: `${JWT_SECRET}!` })).toBe('none');
    expect(getError({ ...previous, JWT_SECRET })).toBe('JWT_SECRET_PREVIOUS must differ from JWT_SECRET.');
    expect(getError({ ...previous, JWT_PUBLIC_KEY: publicKey, JWT_ISSUER, JWT_AUDIENCE })).toBe(
      'JWT_SECRET_PREVIOUS is for the rotation of JWT_SECRET: set it with JWT_SECRET only.',
    );
  });

  test('read a public key whose line breaks are written as \\n', () => {
    const JWT_PUBLIC_KEY = publicKey.replaceAll('\n', '\\n');
    const config = loadConfig({ DATABASE_URL, JWT_PUBLIC_KEY, JWT_ISSUER, JWT_AUDIENCE });

    expect(config.JWT_PUBLIC_KEY).toBe(publicKey);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['no issuer', { OIDC_ISSUER: undefined }, 'The settings OIDC_* need OIDC_ISSUER'],
    [
      'no client',
      { OIDC_CLIENT_SECRET: undefined },
      'Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET with OIDC_ISSUER.',
    ],
    ['no public address', { PUBLIC_URL: undefined }, 'PUBLIC_URL is needed with OIDC_ISSUER'],
    [
      'no workspace for the role',
      { OIDC_WORKSPACE: undefined },
      'Set OIDC_DEFAULT_ROLE and OIDC_WORKSPACE together',
    ],
    [
      'a role for every user of the provider',
      { OIDC_ALLOWED_DOMAINS: undefined },
      'OIDC_DEFAULT_ROLE needs OIDC_ALLOWED_DOMAINS or OIDC_REQUIRED_CLAIM',
    ],
  ])('of an identity provider for people are refused with %s', (_, changes, message) => {
    expect(getError({ DATABASE_URL, JWT_SECRET, ...OIDC, ...changes })).toContain(message);
    expect(getError({ DATABASE_URL, JWT_SECRET, ...OIDC })).toBe('none');
  });

  test.each<Record<string, string>>([{}, { SUBNET: '10.77.0.0/16' }])(
    'of docker-compose.yml with %j trust its own network only',
    (variables) => {
      const { services, networks } = readCompose(variables);
      const { TRUST_PROXY } = services.api?.environment ?? {};

      expect(networks.default.ipam.config).toEqual([{ subnet: TRUST_PROXY }]);
      expect(loadConfig({ DATABASE_URL, JWT_SECRET, TRUST_PROXY }).TRUST_PROXY).toEqual([TRUST_PROXY]);
    },
  );

  test('are exactly those of .env.example, with their defaults', () => {
    const example = readFileSync(join(__dirname, '..', '..', '.env.example'), 'utf8');
    const listed = [...example.matchAll(/^#? *([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);

    expect(listed.map(([name]) => name).sort()).toEqual([...SETTING_NAMES].sort());
    const required = { DATABASE_URL, JWT_SECRET };
    expect(loadConfig({ ...Object.fromEntries(listed), ...required })).toEqual(loadConfig(required));
  });

  test('are all in the table of docs/settings.md, with their defaults', () => {
    const table = readFileSync(join(__dirname, '..', '..', 'docs', 'settings.md'), 'utf8');
    expect(SETTING_NAMES.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);

    const defaults = [...table.matchAll(/^\| `([A-Z_]+)` +\| `([^`]+)` +\|/gm)].map(([, name, value]) => [
      name as string,
      value as string,
    ]);
    const required = { DATABASE_URL, JWT_SECRET };
    expect(defaults.length).toBeGreaterThan(30);
    expect(loadConfig({ ...Object.fromEntries(defaults), PUBLIC_URL: '', ...required })).toEqual(
      loadConfig(required),
    );
  });
});
