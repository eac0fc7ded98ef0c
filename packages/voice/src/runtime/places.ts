import type { Worker } from '@parley/worker';

/** The places of a worker for phone calls. */
export class Places {
  /** The carrier's ids of the calls that came in and are the worker's. Until they are picked up, they wait at the carrier, too. */
  private readonly begun = new Set<string>();

  constructor(
    private readonly worker: Pick<Worker, 'on' | 'stats'>,
    private readonly capacity: number,
  ) {
    worker.on('call', ({ start }) => this.begun.add(start.external_id));
    worker.on('end', (_, { start }) => this.begun.delete(start.external_id));
  }

  /** @param waiting the carrier's ids of the calls that wait there */
  isFull(waiting: string[]): boolean {
    const { state, calls } = this.worker.stats();
    const asked = waiting.filter((id) => !this.begun.has(id));
    return state !== 'running' || calls + asked.length >= this.capacity;
  }
}
