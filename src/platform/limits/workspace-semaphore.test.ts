import { WorkspaceSemaphore } from './workspace-semaphore';

// The waiters that a test leaves behind must not fail in a later test file of the same worker.
const createSemaphore = (permits: number, waitSeconds = 3_600) =>
  new WorkspaceSemaphore({ permits, waitSeconds, busy: (seconds) => new Error(`none in ${seconds} s`) });

const settled = () => new Promise(setImmediate);

/** Acquires under a name, and writes the name down once it has been granted. */
async function acquire(from: WorkspaceSemaphore, granted: string[], name: string, weight = 1) {
  const release = await from.acquire(name.slice(0, 1), { weight });
  granted.push(name);
  return release;
}

describe('WorkspaceSemaphore', () => {
  test('grants a workspace its permits, and serves its waiters in order of arrival', async () => {
    const semaphore = createSemaphore(2);
    const granted: string[] = [];
    const [first, second] = [acquire(semaphore, granted, 'a1'), acquire(semaphore, granted, 'a2')];
    void acquire(semaphore, granted, 'a3');
    void acquire(semaphore, granted, 'a4');
    await settled();
    expect(granted).toEqual(['a1', 'a2']);
    expect(semaphore.tryAcquire('a')).toBeUndefined();

    (await first)();
    await settled();
    expect(granted).toEqual(['a1', 'a2', 'a3']);
    (await second)();
    await settled();
    expect(granted).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('counts each workspace separately', async () => {
    const semaphore = createSemaphore(1);
    const granted: string[] = [];
    void acquire(semaphore, granted, 'a1');
    void acquire(semaphore, granted, 'a2');
    void acquire(semaphore, granted, 'b1');
    await settled();

    expect(granted).toEqual(['a1', 'b1']);
  });

  test('serves a waiter with a large weight before those that came later', async () => {
    const semaphore = createSemaphore(4);
    const granted: string[] = [];
    const first = acquire(semaphore, granted, 'a1', 2);
    void acquire(semaphore, granted, 'a2', 4);
    const third = acquire(semaphore, granted, 'a3', 1);
    await settled();
    expect(granted).toEqual(['a1']);

    (await first)();
    await settled();
    expect(granted).toEqual(['a1', 'a2']);
    void third;
  });

  test('refuses a waiter after the time limit, and serves the next one', async () => {
    const semaphore = createSemaphore(2, 0.01);
    const release = await semaphore.acquire('a');

    await expect(semaphore.acquire('a', { weight: 2 })).rejects.toMatchObject({
      message: 'none in 0.01 s',
    });

    const small = await semaphore.acquire('a');
    small();
    release();
    expect(semaphore.tryAcquire('a')).toBeDefined();
  });

  test('drops a waiter whose client closes the connection', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire('a');
    const client = new AbortController();
    const waiting = semaphore.acquire('a', { abortSignal: () => client.signal });
    const next = semaphore.acquire('a');

    client.abort(new Error('disconnected'));
    await expect(waiting).rejects.toMatchObject({ message: 'disconnected' });
    await expect(semaphore.acquire('a', { abortSignal: () => client.signal })).rejects.toMatchObject({
      message: 'disconnected',
    });
    release();
    (await next)();
  });

  test('counts permits that are released and acquired again in any order', async () => {
    const semaphore = createSemaphore(2);
    const [first, second] = [await semaphore.acquire('a'), await semaphore.acquire('a')];
    first();
    second();
    const all = await semaphore.acquire('a', { weight: 2 });

    expect(semaphore.tryAcquire('a')).toBeUndefined();
    all();
    expect(semaphore.tryAcquire('a')).toBeDefined();
  });
});
