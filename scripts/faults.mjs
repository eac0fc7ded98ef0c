import './check-node.mjs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { LaunchError } from './launch-error.cjs';
import { findRabbitmqServer } from './rabbitmq-node.cjs';
import { root } from './root.mjs';
import { fail, handleSignals, shutDown, stopWithNpm } from './shutdown.mjs';
import { cleanEnvironment, makeFolder, runProgram } from './test-run.mjs';

handleSignals();
stopWithNpm('test:faults');
try {
  await install();
  if (!findRabbitmqServer()) {
    throw new LaunchError(
      'The fault suite starts and kills its own RabbitMQ. Install rabbitmq-server 3.10 or later (on Debian: apt-get install rabbitmq-server).',
    );
  }
  const folder = makeFolder();
  const suite = join(root, 'test', 'faults', 'main.ts');
  const args = ['-r', '@swc-node/register', suite, ...process.argv.slice(2)];
  await shutDown(await runProgram(folder, args, cleanEnvironment(folder)));
} catch (error) {
  await fail(error);
}
