import fc from 'fast-check';
import { FairSemaphore, type WorkKind } from './fair-semaphore';

/** Work that acquires permits. It keeps what is running, in the order in which it started. */
class Work {
  readonly started: string[] = [];
  private readonly semaphore: FairSemaphore;
  private readonly releases = new Map<string, () => void>();

  constructor(permits: number) {
    this.semaphore = new FairSemaphore({ permits });
  }

  get running(): string[] {
    return [...this.releases.keys()];
  }

  /** Queues work with names such as `a1`, whose letter is the workspace. */
  async queue(kind: WorkKind, ...names: string[]): Promise<void> {
    for (const name of names) void this.run(kind, name);
    await settled();
  }

  async run(kind: WorkKind, name: string, signal?: AbortSignal): Promise<void> {
    const release = await this.semaphore.acquire(kind, name.slice(0, 1), signal);
    this.started.push(name);
    this.releases.set(name, release);
  }

  async end(name: string): Promise<void> {
    this.releases.get(name)?.();
    this.releases.delete(name);
    await settled();
  }

  /** Ends the work that started first until none is running. */
  async endAll(): Promise<void> {
    for (let [first] = this.releases.keys(); first !== undefined; [first] = this.releases.keys())
      await this.end(first);
  }
}

const settled = () => new Promise(setImmediate);

describe('FairSemaphore', () => {
  test('serves the workspaces in turn, however much work one of them has', async () => {
    const work = new Work(3);
    await work.queue('request', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');

    expect(work.running).toEqual(['a1', 'b1']);
    await work.endAll();

    expect(work.started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('grants a workspace one permit, even if no other workspace waits', async () => {
    const work = new Work(3);
    await work.queue('request', 'a1', 'a2', 'a3');
    expect(work.running).toEqual(['a1']);

    await work.queue('request', 'b1');
    expect(work.running).toEqual(['a1', 'b1']);
  });

  test('never grants all permits to jobs, nor all to requests', async () => {
    const work = new Work(3);
    await work.queue('job', 'a1', 'b1', 'c1', 'd1');
    expect(work.running).toEqual(['a1', 'b1']);

    await work.queue('request', 'e1', 'f1', 'g1');
    expect(work.running).toEqual(['a1', 'b1', 'e1']);

    await work.end('a1');
    expect(work.running).toEqual(['b1', 'e1', 'f1']);
    await work.end('b1');
    expect(work.running).toEqual(['e1', 'f1', 'c1']);
  });

  test('grants permits to requests before jobs', async () => {
    const work = new Work(2);
    await work.queue('request', 'a1', 'b1');
    await work.queue('job', 'c1', 'd1');
    expect(work.running).toEqual(['a1', 'c1']);

    await work.end('a1');

    expect(work.running).toEqual(['c1', 'b1']);
  });

  test('drops a waiter whose signal is aborted', async () => {
    const work = new Work(2);
    await work.queue('request', 'a1');
    const [disconnect, timeout] = [new AbortController(), new AbortController()];
    const waiting = [work.run('request', 'b1', disconnect.signal), work.run('request', 'b2', timeout.signal)];
    await work.queue('request', 'c1');

    disconnect.abort(new Error('disconnected'));
    timeout.abort(new Error('timed out'));

    expect(await Promise.allSettled(waiting)).toMatchObject([
      { status: 'rejected', reason: { message: 'disconnected' } },
      { status: 'rejected', reason: { message: 'timed out' } },
    ]);
    await work.end('a1');
    expect(work.running).toEqual(['c1']);
  });

  test('grants nothing if the signal is already aborted', async () => {
    const work = new Work(2);

    await expect(work.run('request', 'a1', AbortSignal.abort(new Error('disconnected')))).rejects.toThrow(
      'disconnected',
    );

    await work.queue('request', 'a2');
    expect(work.running).toEqual(['a2']);
  });

  test('lets work that has started keep its permit when its signal is aborted', async () => {
    const work = new Work(2);
    const disconnect = new AbortController();
    await work.run('request', 'a1', disconnect.signal);
    disconnect.abort();

    await work.queue('request', 'a2');

    expect(work.running).toEqual(['a1']);
  });

  test('never exceeds its permits, and serves every waiter in the end', async () => {
    const items = fc.array(
      fc.record({
        kind: fc.constantFrom<WorkKind>('request', 'job'),
        workspace: fc.constantFrom('a', 'b', 'c', 'd'),
        /** The number of running works that end before it is queued. */
        ends: fc.nat({ max: 2 }),
      }),
      { maxLength: 30 },
    );

    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 2, max: 5 }), async (queued, permits) => {
        const work = new Work(permits);
        for (const [n, { kind, workspace, ends }] of queued.entries()) {
          for (let ended = 0; ended < ends; ended++) await work.end(work.running[0] ?? '');
          await work.queue(kind, `${workspace}${n}`);
          expect(work.running.length).toBeLessThanOrEqual(permits);
        }
        await work.endAll();
        expect(work.started).toHaveLength(queued.length);
      }),
      { numRuns: 50 },
    );
  });
});
