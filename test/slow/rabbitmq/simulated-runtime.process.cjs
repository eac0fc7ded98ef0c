// The simulated runtime in a process of its own, from the folder of compiled code that is its argument.
const { join } = require('node:path');

const { start } = require(join(process.argv[2], 'tools', 'simulated-runtime', 'main.js'));

void start().then((runtime) => {
  process.once('SIGTERM', () => void runtime.close().then(() => process.exit(0)));
});
