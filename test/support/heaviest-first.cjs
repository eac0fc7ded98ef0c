const { createRequire } = require('node:module');
const { relative } = require('node:path');

const core = createRequire(require.resolve('jest')).resolve('@jest/core');
const Sequencer = createRequire(core)('@jest/test-sequencer').default;

/**
 * The beginnings of the paths of files that take long, about the longest first; files that wait run beside files
 * that compute. Without the times of an earlier run, Jest starts the largest files first, and ends with some of
 * these while the other workers have nothing left to do.
 */
const HEAVIEST = [
  'packages/conformance/test/rabbitmq/',
  'test/browser/console-everywhere.',
  'test/e2e/bad-input/',
  'packages/worker/test/rabbitmq/examples.',
  'test/e2e/call-export.',
  'test/rabbitmq/',
  'test/e2e/call-rollups',
  'test/e2e/knowledge-base-killed-server.',
  'test/browser/campaigns.',
  'test/browser/console.',
  'test/e2e/database-wide-rows.',
  'test/e2e/unreadable-requests.',
  'test/browser/',
  'packages/',
];

const getRank = ({ path, context }) => {
  const file = relative(context.config.rootDir, path);
  const rank = HEAVIEST.findIndex((beginning) => file.startsWith(beginning));
  return rank === -1 ? HEAVIEST.length : rank;
};

/** Starts the files that failed or took longest in the run before; in a first run, the files of the list. */
module.exports = class HeaviestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirstRun = sorted.every(({ duration }) => duration === undefined);
    return isFirstRun ? sorted.sort((one, other) => getRank(one) - getRank(other)) : sorted;
  }
};
