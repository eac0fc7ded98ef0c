const TestSequencer = require('@jest/test-sequencer').default;

/** What takes longest, beginning with the longest: started late, it would go on alone, and on a worker's full heap. */
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

/** Jest knows no durations in a fresh clone, and goes by the sizes of files. */
module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const place = ({ path }) => {
      const found = LONGEST.findIndex((name) => path.includes(`/${name}.test.`));
      return found < 0 ? LONGEST.length : found;
    };
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
};
