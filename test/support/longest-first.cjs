const TestSequencer = require('@jest/test-sequencer').default;

/** The slowest files, slowest first. If they started last, they would run alone at the end. */
const LONGEST = [
  'bad-input',
  'simulated-runtime',
  'rabbitmq-faults',
  'campaigns-run',
  'recipient-reader',
  'platform',
  'broker-server',
  'authorization',
  'document-reader',
  'killed-server',
  'graceful-stop',
  'broker-failures',
];

/** In a fresh clone, Jest has no recorded durations and sorts by file size. */
module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const place = ({ path }) => {
      const found = LONGEST.findIndex((name) => path.includes(`/${name}.test.`));
      return found < 0 ? LONGEST.length : found;
    };
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
};
