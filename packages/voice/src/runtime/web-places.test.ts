import { WebPlaces } from './web-places';

const admitAll = (places: WebPlaces, workspaceId: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${workspaceId}${index}`).filter((id) =>
    places.admit(id, workspaceId),
  );

test('a web call that nobody has joined does not count towards the capacity', () => {
  const places = new WebPlaces(4);
  admitAll(places, 'a', 10);
  admitAll(places, 'b', 10);
  const [first, ...others] = admitAll(places, 'c', 3);

  expect(others).toHaveLength(2);
  expect([first, ...others].map((id) => places.take(`${id}`))).toEqual([true, true, true]);
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 3],
  [8, 6],
  [100, 75],
])('of %d places, a workspace gets %d, and as many calls that nobody has joined', (capacity, share) => {
  const places = new WebPlaces(capacity);

  const admitted = admitAll(places, 'a', capacity);
  expect(admitted).toHaveLength(share);
  for (const id of admitted) expect(places.take(id)).toBe(true);
  expect(admitAll(places, 'a', 1)).toEqual([]);
  if (capacity > 1) expect(admitAll(places, 'b', 1)).toEqual(['b0']);
});

test('a person who comes when the places were taken meanwhile gets none, and the next one gets it', () => {
  const places = new WebPlaces(2);
  for (const workspace of ['a', 'b', 'c']) expect(places.admit(workspace, workspace)).toBe(true);

  expect(['a', 'b', 'c'].map((id) => places.take(id))).toEqual([true, true, false]);
  expect(places.admit('d', 'd')).toBe(false);
  places.leave('a');
  expect(places.take('c')).toBe(true);
});

test('the place of a call whose connection is lost is for the next call of its workspace only', () => {
  const places = new WebPlaces(2);
  const ended: string[] = [];
  for (const id of ['a0', 'b0']) expect(places.admit(id, `${id[0]}`) && places.take(id)).toBe(true);
  const lose = (id: string) => places.lost(id, () => void ended.push(id));
  lose('a0');
  places.returned('a0');
  expect(places.admit('a1', 'a')).toBe(false);

  lose('a0');
  expect(places.admit('c0', 'c')).toBe(false);
  expect(places.admit('a1', 'a')).toBe(true);
  expect(ended).toEqual([]);
  expect(places.take('a1')).toBe(true);
  expect(ended).toEqual(['a0']);
  places.leave('a0');
  expect(places.admit('a2', 'a')).toBe(false);
});

test('calls of many workspaces that nobody joins are bounded', () => {
  const places = new WebPlaces(4);

  const admitted = Array.from({ length: 50 }, (_, index) => places.admit(`${index}`, `${index}`));
  expect(admitted.filter(Boolean)).toHaveLength(20);
});
