// These modules are imported first, because both wrap libraries before the product imports them.
import './mutations';
import './kill-points';
import { start } from '../../../src/main';
import type { Order } from './orders';

/** A server that has loaded its modules and waits for the order to start, so that it can soon replace a killed one. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (order: Order) => {
  if (order === 'start') void start().then(({ url }) => process.send?.({ url }), fail);
});

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}
