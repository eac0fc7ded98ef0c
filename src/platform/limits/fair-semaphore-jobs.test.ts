import { FairSemaphore } from './fair-semaphore';

const createSemaphore = (permits: number, permitsPerWorkspace: number) =>
  new FairSemaphore({ permits, permitsPerKind: permits, permitsPerWorkspace });

/**
 * Acquires as many permits as each workspace gets.
 * @returns the functions that release them
 */
const acquireAll = (semaphore: FairSemaphore, workspaceIds: string[]) =>
  workspaceIds.map((workspaceId) => {
    const releases: (() => void)[] = [];
    for (let release = semaphore.tryAcquire('job', workspaceId); release;) {
      releases.push(release);
      release = semaphore.tryAcquire('job', workspaceId);
    }
    return releases;
  });

const counts = (releases: (() => void)[][]) => releases.map(({ length }) => length);

describe('A FairSemaphore for jobs that do not wait', () => {
  test('grants a workspace its maximum, whatever the others hold', () => {
    const semaphore = createSemaphore(10, 2);

    const [release] = acquireAll(semaphore, ['a'])[0] ?? [];
    expect(semaphore.tryAcquire('job', 'b')).toBeDefined();
    expect(semaphore.saturated('job')).toEqual(['a']);
    expect(semaphore.tryAcquire('job', 'a')).toBeUndefined();
    expect(semaphore.tryAcquire('job', 'b')).toBeDefined();
    expect(semaphore.saturated('job')).toEqual(['a', 'b']);

    release?.();
    expect(semaphore.saturated('job')).toEqual(['b']);
    expect(semaphore.tryAcquire('job', 'a')).toBeDefined();
  });

  test('grants fewer permits the more workspaces hold some, and the last one to a workspace without any', () => {
    const semaphore = createSemaphore(50, 10);

    expect(counts(acquireAll(semaphore, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']))).toEqual([
      10, 10, 10, 10, 5, 3, 1, 1, 0,
    ]);
  });

  test('grants the only free permit to a workspace without any', () => {
    const semaphore = createSemaphore(50, 10);
    const [first] = acquireAll(semaphore, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);

    first?.[0]?.();

    expect(counts(acquireAll(semaphore, ['a', 'e', 'g', 'h', 'i']))).toEqual([0, 0, 0, 0, 1]);
  });

  test('grants its only permit to the first workspace that asks', () => {
    const semaphore = createSemaphore(1, 1);

    const releases = acquireAll(semaphore, ['a', 'b']);
    expect(counts(releases)).toEqual([1, 0]);
    releases[0]?.[0]?.();
    expect(counts(acquireAll(semaphore, ['b']))).toEqual([1]);
  });
});
