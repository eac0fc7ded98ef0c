import fc from 'fast-check';
import { type Kind, FairSemaphore } from './fair-semaphore';

/** Takes turns and keeps who works, in the order in which they began. */
class Work {
  readonly begun: string[] = [];
  private readonly turns: FairSemaphore;
  private readonly ends = new Map<string, () => void>();

  constructor(places: number) {
    this.turns = new FairSemaphore(places);
  }

  get working(): string[] {
    return [...this.ends.keys()];
  }

  /** Queues work of a name such as `a1`, whose letter is its workspace. */
  async queue(kind: Kind, ...names: string[]): Promise<void> {
    for (const name of names) void this.take(kind, name);
    await settled();
  }

  async take(kind: Kind, name: string, signal?: AbortSignal): Promise<void> {
    const end = await this.turns.take(kind, name.slice(0, 1), signal);
    this.begun.push(name);
    this.ends.set(name, end);
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    this.ends.delete(name);
    await settled();
  }

  /** Ends the work that began first until none is left. */
  async endAll(): Promise<void> {
    for (let [first] = this.ends.keys(); first !== undefined; [first] = this.ends.keys())
      await this.end(first);
  }
}

const settled = () => new Promise(setImmediate);

describe('Turns', () => {
  test('go round the workspaces, however much one of them has to do', async () => {
    const work = new Work(3);
    await work.queue('caller', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');

    expect(work.working).toEqual(['a1', 'b1']);
    await work.endAll();

    expect(work.begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('leave a place to others, even where nobody else waits yet', async () => {
    const work = new Work(3);
    await work.queue('caller', 'a1', 'a2', 'a3');
    expect(work.working).toEqual(['a1']);

    await work.queue('caller', 'b1');
    expect(work.working).toEqual(['a1', 'b1']);
  });

  test('are never all taken by jobs, nor all by callers', async () => {
    const work = new Work(3);
    await work.queue('job', 'a1', 'b1', 'c1', 'd1');
    expect(work.working).toEqual(['a1', 'b1']);

    await work.queue('caller', 'e1', 'f1', 'g1');
    expect(work.working).toEqual(['a1', 'b1', 'e1']);

    await work.end('a1');
    expect(work.working).toEqual(['b1', 'e1', 'f1']);
    await work.end('b1');
    expect(work.working).toEqual(['e1', 'f1', 'c1']);
  });

  test('come to callers before jobs', async () => {
    const work = new Work(2);
    await work.queue('caller', 'a1', 'b1');
    await work.queue('job', 'c1', 'd1');
    expect(work.working).toEqual(['a1', 'c1']);

    await work.end('a1');

    expect(work.working).toEqual(['c1', 'b1']);
  });

  test('are left by those who give up, and are not kept for them', async () => {
    const work = new Work(2);
    await work.queue('caller', 'a1');
    const [gone, late] = [new AbortController(), new AbortController()];
    const waiting = [work.take('caller', 'b1', gone.signal), work.take('caller', 'b2', late.signal)];
    await work.queue('caller', 'c1');

    gone.abort(new Error('gone'));
    late.abort(new Error('late'));

    expect(await Promise.allSettled(waiting)).toMatchObject([
      { status: 'rejected', reason: { message: 'gone' } },
      { status: 'rejected', reason: { message: 'late' } },
    ]);
    await work.end('a1');
    expect(work.working).toEqual(['c1']);
  });

  test('are not taken by those who have given up before', async () => {
    const work = new Work(2);

    await expect(work.take('caller', 'a1', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');

    await work.queue('caller', 'a2');
    expect(work.working).toEqual(['a2']);
  });

  test('stay with those who have begun, whatever their signal says then', async () => {
    const work = new Work(2);
    const gone = new AbortController();
    await work.take('caller', 'a1', gone.signal);
    gone.abort();

    await work.queue('caller', 'a2');

    expect(work.working).toEqual(['a1']);
  });

  test('are never more than there are places, and come to everybody in the end', async () => {
    const asks = fc.array(
      fc.record({
        kind: fc.constantFrom<Kind>('caller', 'job'),
        workspace: fc.constantFrom('a', 'b', 'c', 'd'),
        /** How many pieces of work end before it comes. */
        ends: fc.nat({ max: 2 }),
      }),
      { maxLength: 30 },
    );

    await fc.assert(
      fc.asyncProperty(asks, fc.integer({ min: 2, max: 5 }), async (asked, places) => {
        const work = new Work(places);
        for (const [n, { kind, workspace, ends }] of asked.entries()) {
          for (let ended = 0; ended < ends; ended++) await work.end(work.working[0] ?? '');
          await work.queue(kind, `${workspace}${n}`);
          expect(work.working.length).toBeLessThanOrEqual(places);
        }
        await work.endAll();
        expect(work.begun).toHaveLength(asked.length);
      }),
      { numRuns: 50 },
    );
  });
});
