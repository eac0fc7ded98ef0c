import { WorkspaceSemaphore } from './workspace-semaphore';

const semaphore = (permits: number, waitSeconds = 60) =>
  new WorkspaceSemaphore({ permits, resource: 'place', waitSeconds });

const settled = () => new Promise(setImmediate);

/** Acquires under a name, and writes the name down once it has been granted. */
async function acquire(from: WorkspaceSemaphore, granted: string[], name: string, weight = 1) {
  const release = await from.acquire(name.slice(0, 1), { weight });
  granted.push(name);
  return release;
}

describe('The share of a workspace', () => {
  test('is granted up to its permits, and then in order of arrival', async () => {
    const shares = semaphore(2);
    const granted: string[] = [];
    const [first, second] = [acquire(shares, granted, 'a1'), acquire(shares, granted, 'a2')];
    void acquire(shares, granted, 'a3');
    void acquire(shares, granted, 'a4');
    await settled();
    expect(granted).toEqual(['a1', 'a2']);
    expect(shares.tryAcquire('a')).toBeUndefined();

    (await first)();
    await settled();
    expect(granted).toEqual(['a1', 'a2', 'a3']);
    (await second)();
    await settled();
    expect(granted).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('is used up for that workspace alone', async () => {
    const shares = semaphore(1);
    const granted: string[] = [];
    void acquire(shares, granted, 'a1');
    void acquire(shares, granted, 'a2');
    void acquire(shares, granted, 'b1');
    await settled();

    expect(granted).toEqual(['a1', 'b1']);
  });

  test('lets a heavy request wait for enough of it, before those that came later', async () => {
    const shares = semaphore(4);
    const granted: string[] = [];
    const first = acquire(shares, granted, 'a1', 2);
    void acquire(shares, granted, 'a2', 4);
    const third = acquire(shares, granted, 'a3', 1);
    await settled();
    expect(granted).toEqual(['a1']);

    (await first)();
    await settled();
    expect(granted).toEqual(['a1', 'a2']);
    void third;
  });

  test('refuses a request that has waited for too long, and serves the next one', async () => {
    const shares = semaphore(2, 0.01);
    const release = await shares.acquire('a');

    await expect(shares.acquire('a', { weight: 2 })).rejects.toMatchObject({
      message: 'The workspace has too much in progress',
    });

    const small = await shares.acquire('a');
    small();
    release();
    expect(shares.tryAcquire('a')).toBeDefined();
  });

  test('is not waited for by a client that has left', async () => {
    const shares = semaphore(1);
    const release = await shares.acquire('a');
    const client = new AbortController();
    const waiting = shares.acquire('a', { abandoned: () => client.signal });
    const next = shares.acquire('a');

    client.abort();
    await expect(waiting).rejects.toMatchObject({ message: 'Client closed the connection' });
    await expect(shares.acquire('a', { abandoned: () => client.signal })).rejects.toMatchObject({
      message: 'Client closed the connection',
    });
    release();
    (await next)();
  });

  test('stays one share where it is released and acquired again in any order', async () => {
    const shares = semaphore(2);
    const [first, second] = [await shares.acquire('a'), await shares.acquire('a')];
    first();
    second();
    const all = await shares.acquire('a', { weight: 2 });

    expect(shares.tryAcquire('a')).toBeUndefined();
    all();
    expect(shares.tryAcquire('a')).toBeDefined();
  });
});
