import type { Worker } from '@parley/worker';

/**
 * Whether a worker has no place for a further call.
 * @param asked the calls that came in and that the server has not accepted yet: each of them needs a place
 */
export function isFull(worker: Pick<Worker, 'stats'>, capacity: number, asked: number): boolean {
  const { state, calls } = worker.stats();
  return state !== 'running' || calls + asked >= capacity;
}
