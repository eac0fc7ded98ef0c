import '../../launch/build/check-node.mjs';
import { LaunchError } from '../../launch/process/launch-error.cjs';
import { findRabbitmqServer } from './rabbitmq-node.cjs';
import { runSuite } from './run-suite.mjs';

await runSuite('faults', {
  prepare() {
    if (findRabbitmqServer()) return;
    throw new LaunchError(
      'The fault suite starts and kills its own RabbitMQ. Install rabbitmq-server 3.10 or later (on Debian: apt-get install rabbitmq-server).',
    );
  },
});
