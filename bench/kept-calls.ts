import { load } from './kept-load';
import { compareKept } from './kept-measure';

/**
 * Loads a year of calls into a database of its own, and compares what a request costs in two such databases: of the
 * workspace with the most calls, or of the one with this rank.
 *
 * TEST_DATABASE_URL=… node -r @swc-node/register bench/kept-calls.ts load 20000000
 * TEST_DATABASE_URL=… node -r @swc-node/register bench/kept-calls.ts compare 1000000 20000000 [100]
 */
const WORKSPACES = 200;

async function main([command, ...sizes]: string[]): Promise<void> {
  globalThis.BROKER = 'in-process';
  const [small = NaN, large = NaN, rank = 1] = sizes.map(Number);
  if (command === 'load' && small > 0) await load(small, WORKSPACES);
  else if (command === 'compare' && small > 0 && large > 0) await compareKept([small, large], rank);
  else throw new Error('The command is load CALLS or compare CALLS CALLS [RANK].');
}

void main(process.argv.slice(2));
