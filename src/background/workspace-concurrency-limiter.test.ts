import { WorkspaceConcurrencyLimiter } from './workspace-concurrency-limiter';

/** How many jobs each workspace can start, one workspace after the other. */
const acquireAll = (limiter: WorkspaceConcurrencyLimiter, workspaceIds: string[]) =>
  workspaceIds.map((workspaceId) => {
    let acquired = 0;
    while (limiter.tryAcquire(workspaceId)) acquired += 1;
    return acquired;
  });

describe('The concurrency limit of workspaces', () => {
  test('gives a workspace up to its maximum while enough slots are free', () => {
    const limiter = new WorkspaceConcurrencyLimiter(10, 2);

    expect([limiter.tryAcquire('a'), limiter.tryAcquire('a'), limiter.tryAcquire('b')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(limiter.saturated).toEqual(['a']);
    expect(limiter.tryAcquire('a')).toBe(false);
    expect(limiter.tryAcquire('b')).toBe(true);
    expect(limiter.saturated).toEqual(['a', 'b']);

    limiter.release('a');
    expect(limiter.saturated).toEqual(['b']);
    expect(limiter.tryAcquire('a')).toBe(true);
  });

  test('gives a workspace less the more slots are in use, and keeps the last one for a workspace that has none', () => {
    const limiter = new WorkspaceConcurrencyLimiter(50, 10);

    expect(acquireAll(limiter, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])).toEqual([
      10, 10, 10, 10, 5, 3, 1, 1, 0,
    ]);
  });

  test('gives a released slot to a workspace that has none', () => {
    const limiter = new WorkspaceConcurrencyLimiter(50, 10);
    acquireAll(limiter, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);

    limiter.release('a');

    expect(acquireAll(limiter, ['a', 'e', 'g', 'h', 'i'])).toEqual([0, 0, 0, 0, 1]);
  });

  test('gives the only slot to the first workspace that asks', () => {
    const limiter = new WorkspaceConcurrencyLimiter(1, 1);

    expect(acquireAll(limiter, ['a', 'b'])).toEqual([1, 0]);
    limiter.release('a');
    expect(acquireAll(limiter, ['b'])).toEqual([1]);
  });
});
