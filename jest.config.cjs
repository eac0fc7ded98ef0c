const { availableParallelism } = require('node:os');

const common = {
  transform: { '^.+\\.ts$': ['@swc/jest', {}] },
  testEnvironment: 'node',
  // ESM-only packages would have to be transformed; there are none, and skipping the check saves seconds.
  transformIgnorePatterns: ['/node_modules/'],
};

/** What a request meets before it comes to a feature, which is the same whatever the broker. */
const ON_ANY_BROKER = [
  'authorization',
  'credentials',
  'fair-share',
  'identity-provider',
  'operator',
  'rate-limit',
  'unreadable-requests',
];

/** The other end-to-end tests run once on each broker that `npm test` found; see scripts/test.mjs. */
const endToEndOn = (broker, ignored = []) => ({
  ...common,
  displayName: broker,
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...ignored.map((name) => `/e2e/${name}\\.test\\.ts$`)],
  globals: { BROKER: broker },
});

/** @type {import('jest').Config} */
module.exports = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
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
        '<rootDir>/test/messaging/**/*.test.ts',
        '<rootDir>/test/knowledge-base/**/*.test.ts',
        '<rootDir>/test/campaigns/**/*.test.ts',
        '<rootDir>/test/webhooks/**/*.test.ts',
        '<rootDir>/test/idempotency/**/*.test.ts',
        '<rootDir>/test/bad-input/**/*.test.ts',
      ],
    },
    endToEndOn('in-process'),
    ...(process.env.TEST_RABBITMQ_URL ? [endToEndOn('rabbitmq', ON_ANY_BROKER)] : []),
  ],
};
