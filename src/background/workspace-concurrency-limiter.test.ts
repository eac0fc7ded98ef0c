import { WorkspaceConcurrencyLimiter } from './workspace-concurrency-limiter';

/** Each workspace acquires as many permits as it gets. Returns how many those are. */
const acquireAll = (limiter: WorkspaceConcurrencyLimiter, workspaceIds: string[]) =>
  workspaceIds.map((workspaceId) => {
    let count = 0;
    while (limiter.tryAcquire(workspaceId)) count += 1;
    return count;
  });

describe('WorkspaceConcurrencyLimiter', () => {
  test('grants a workspace its maximum, whatever the others hold', () => {
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

  test('grants fewer permits the more workspaces hold some, and the last one to a workspace without any', () => {
    const limiter = new WorkspaceConcurrencyLimiter(50, 10);

    expect(acquireAll(limiter, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])).toEqual([
      10, 10, 10, 10, 5, 3, 1, 1, 0,
    ]);
  });

  test('grants the only free permit to a workspace without any', () => {
    const limiter = new WorkspaceConcurrencyLimiter(50, 10);
    acquireAll(limiter, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);

    limiter.release('a');

    expect(acquireAll(limiter, ['a', 'e', 'g', 'h', 'i'])).toEqual([0, 0, 0, 0, 1]);
  });

  test('grants its only permit to the first workspace that asks', () => {
    const limiter = new WorkspaceConcurrencyLimiter(1, 1);

    expect(acquireAll(limiter, ['a', 'b'])).toEqual([1, 0]);
    limiter.release('a');
    expect(acquireAll(limiter, ['b'])).toEqual([1]);
  });
});
