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
  'test/api/platform.',
  'test/api/authorization.',
  'test/api/sessions.',
  'test/browser/',
  'test/api/mcp.',
  'test/api/campaigns-',
  'test/api/simulated-runtime.',
  'test/api/audit.',
  'test/api/',
  'test/contract/',
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
