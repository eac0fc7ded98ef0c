const { availableParallelism } = require('node:os');

const common = {
  transform: { '^.+\\.ts$': ['@swc/jest', {}] },
  testEnvironment: '<rootDir>/test/support/shared-environment.cjs',
  runtime: '<rootDir>/test/support/shared-runtime.cjs',
  // Jest looks for files here; node_modules is large.
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/console/src', '<rootDir>/packages'],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]*/dist/'],
};

/** The test files of these folders. */
const project = (displayName, folders, options) => ({
  ...common,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
  ...options,
});

const onBroker = (broker, folders) => project(broker, folders, { globals: { BROKER: broker } });

/** @type {import('jest').Config} */
module.exports = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/heaviest-first.cjs',
  testTimeout: 240_000,
  // The tests wait for servers half of their time.
  maxWorkers: availableParallelism() + 1,
  // Each test file leaves something in its worker, and on a heap of gigabytes everything takes twice as long.
  workerIdleMemoryLimit: '700MB',
  projects: [
    project('unit', ['src', 'console/src', 'test/project']),
    project('e2e', ['test/e2e']),
    project('browser', ['test/browser']),
    project('packages', ['packages/*/src', 'packages/*/test'], {
      testPathIgnorePatterns: ['/node_modules/', '/test/rabbitmq/'],
    }),
    onBroker('in-process', ['test/each-broker']),
    ...(process.env.TEST_RABBITMQ_URL
      ? [onBroker('rabbitmq', ['test/each-broker', 'test/rabbitmq', 'packages/*/test/rabbitmq'])]
      : []),
  ],
};
