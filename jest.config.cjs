const { readdirSync, readFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

const common = {
  transform: { '^.+\\.ts$': ['@swc/jest', {}] },
  testEnvironment: '<rootDir>/test/support/shared-environment.cjs',
  runtime: '<rootDir>/test/support/shared-runtime.cjs',
  // ESM-only packages would have to be transformed; there are none, and skipping the check saves seconds.
  transformIgnorePatterns: ['/node_modules/'],
};

/** End-to-end tests that check nothing about messages: they run once, on the in-process broker. */
const ON_ANY_BROKER = [
  'agents-delete',
  'agents-list',
  'authorization',
  'call-statistics',
  'campaigns-create',
  'campaigns-list',
  'campaigns-upload',
  'credentials',
  'fair-share',
  'identity-provider',
  'knowledge-base-create',
  'knowledge-base-indexing',
  'knowledge-base-list',
  'knowledge-base-search',
  'operator',
  'phone-numbers',
  'prompt-templates',
  'quotas',
  'rate-limit',
  'unreadable-requests',
];

const testFolder = join(module.path, 'test');

/** Test files outside of test/e2e and test/messaging that depend on the broker. */
const dependOnBroker = readdirSync(testFolder, { recursive: true })
  .filter((path) => path.endsWith('.test.ts') && !/^(e2e|messaging)\b/.test(path))
  .filter((path) => /globalThis\.BROKER|rabbitmqAvailable/.test(readFileSync(join(testFolder, path), 'utf8')))
  .map((path) => `test/${path}`);

/** The tests of one broker; `npm test` runs them on each that it found, see scripts/test.mjs. */
const onBroker = (broker, ignored = []) => ({
  ...common,
  displayName: broker,
  testMatch: [
    '<rootDir>/test/e2e/**/*.test.ts',
    '<rootDir>/test/messaging/**/*.test.ts',
    ...dependOnBroker.map((path) => `<rootDir>/${path}`),
  ],
  testPathIgnorePatterns: ['/node_modules/', ...ignored.map((name) => `/e2e/${name}\\.test\\.ts$`)],
  globals: { BROKER: broker },
});

/** @type {import('jest').Config} */
module.exports = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
  // The tests wait for servers half of their time.
  maxWorkers: availableParallelism() + 1,
  // Each test file leaves something in its worker, and on a heap of gigabytes everything takes twice as long.
  workerIdleMemoryLimit: '700MB',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/src/**/*.test.ts',
        '<rootDir>/test/*.test.ts',
        '<rootDir>/test/knowledge-base/**/*.test.ts',
        '<rootDir>/test/campaigns/**/*.test.ts',
        '<rootDir>/test/webhooks/**/*.test.ts',
        '<rootDir>/test/idempotency/**/*.test.ts',
        '<rootDir>/test/bad-input/**/*.test.ts',
        ...dependOnBroker.map((path) => `!**/${path}`),
      ],
    },
    onBroker('in-process'),
    ...(process.env.TEST_RABBITMQ_URL ? [onBroker('rabbitmq', ON_ANY_BROKER)] : []),
  ],
};
