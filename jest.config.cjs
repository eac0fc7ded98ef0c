const { availableParallelism } = require('node:os');

const common = {
  transform: { '^.+\\.ts$': ['@swc/jest', {}] },
  testEnvironment: '<rootDir>/test/run/shared-environment.cjs',
  runtime: '<rootDir>/test/run/shared-runtime.cjs',
  // Jest looks for files here; node_modules is large.
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/console/src', '<rootDir>/packages'],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]*/dist/'],
};

/** `npm run test:slow` runs the files `*.slow.test.ts`, and `npm test` the others. */
const FILES = process.env.TEST_SLOW ? '*.slow.test.ts' : '!(*.slow).test.ts';

/** The test files of these folders. */
const project = (displayName, folders, options) => ({
  ...common,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/${FILES}`),
  ...options,
});

/** Their tests run on RabbitMQ alone. */
const RABBITMQ_FOLDERS = ['/node_modules/', '/test/rabbitmq/', '/test/slow/rabbitmq/'];

const onRabbitmq = project('rabbitmq', ['test/contract', 'test/slow/rabbitmq', 'packages/*/test/rabbitmq'], {
  globals: { BROKER: 'rabbitmq' },
});

/** @type {import('jest').Config} */
module.exports = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/run/heaviest-first.cjs',
  testTimeout: 240_000,
  // The tests wait for servers half of their time.
  maxWorkers: process.env.TEST_SLOW ? 1 : availableParallelism() + 1,
  // Each test file leaves something in its worker, and on a heap of gigabytes everything takes twice as long.
  workerIdleMemoryLimit: '700MB',
  projects: [
    project('unit', ['src', 'console/src', 'test/rules']),
    project('api', ['test/api', 'test/slow'], { testPathIgnorePatterns: RABBITMQ_FOLDERS }),
    project('browser', ['test/browser']),
    project('packages', ['packages/*/src', 'packages/*/test'], {
      testPathIgnorePatterns: RABBITMQ_FOLDERS,
    }),
    project('in-process', ['test/contract'], { globals: { BROKER: 'in-process' } }),
    ...(process.env.TEST_RABBITMQ_URL ? [onRabbitmq] : []),
  ],
};
