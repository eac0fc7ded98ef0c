// First, since both wrap libraries before the product takes hold of them.
import './mutations';
import './kill-points';
import { start } from '../../src/main';
import type { Order } from './orders';

/** A server that has everything loaded and waits for its start, so that a killed one is soon replaced. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (order: Order) => {
  if (order === 'start') void start().then(({ url }) => process.send?.({ url }), fail);
});

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}
