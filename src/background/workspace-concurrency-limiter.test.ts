import { WorkspaceConcurrencyLimiter } from './workspace-concurrency-limiter';

/** Has each workspace in turn take as many places as it may, and tells how many those are. */
const takeAll = (places: WorkspaceConcurrencyLimiter, workspaceIds: string[]) =>
  workspaceIds.map((workspaceId) => {
    let taken = 0;
    while (places.enter(workspaceId)) taken += 1;
    return taken;
  });

describe('Of the places for attempts', () => {
  test('a workspace has its most, whatever the others take', () => {
    const places = new WorkspaceConcurrencyLimiter(10, 2);

    expect([places.enter('a'), places.enter('a'), places.enter('b')]).toEqual([true, true, true]);
    expect(places.full).toEqual(['a']);
    expect(places.enter('a')).toBe(false);
    expect(places.enter('b')).toBe(true);
    expect(places.full).toEqual(['a', 'b']);

    places.leave('a');
    expect(places.full).toEqual(['b']);
    expect(places.enter('a')).toBe(true);
  });

  test('a workspace gets the fewer, the more of them are busy, and the last one is for one that has none', () => {
    const places = new WorkspaceConcurrencyLimiter(50, 10);

    expect(takeAll(places, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])).toEqual([
      10, 10, 10, 10, 5, 3, 1, 1, 0,
    ]);
  });

  test('one that comes free where all are taken goes to a workspace that has none', () => {
    const places = new WorkspaceConcurrencyLimiter(50, 10);
    takeAll(places, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);

    places.leave('a');

    expect(takeAll(places, ['a', 'e', 'g', 'h', 'i'])).toEqual([0, 0, 0, 0, 1]);
  });

  test('the only one goes to whoever comes', () => {
    const places = new WorkspaceConcurrencyLimiter(1, 1);

    expect(takeAll(places, ['a', 'b'])).toEqual([1, 0]);
    places.leave('a');
    expect(takeAll(places, ['b'])).toEqual([1]);
  });
});
