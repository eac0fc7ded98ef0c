import '../../launch/build/check-node.mjs';
import { join } from 'node:path';
import { LaunchError } from '../../launch/process/launch-error.cjs';
import { findRabbitmqServer } from './rabbitmq-node.cjs';
import { root } from '../../launch/process/root.mjs';
import { runSuite } from './run-suite.mjs';

await runSuite('cluster', {
  async prepare() {
    if (!findRabbitmqServer()) {
      throw new LaunchError(
        'The cluster suite starts three nodes of RabbitMQ. Install rabbitmq-server 3.10 or later (on Debian: apt-get install rabbitmq-server).',
      );
    }
    // Servers are restarted under load, so they are compiled as in production.
    process.env.TEST_BUILD = join(root, 'dist');
  },
});
