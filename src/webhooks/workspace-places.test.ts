import { WorkspacePlaces } from './workspace-places';

test('The places of a workspace are so many, whatever the others take', () => {
  const places = new WorkspacePlaces(2);

  expect([places.enter('a'), places.enter('a'), places.enter('b')]).toEqual([true, true, true]);
  expect(places.full).toEqual(['a']);
  expect(places.enter('a')).toBe(false);
  expect(places.enter('b')).toBe(true);
  expect(places.full).toEqual(['a', 'b']);

  places.leave('a');
  expect(places.full).toEqual(['b']);
  expect(places.enter('a')).toBe(true);
});
