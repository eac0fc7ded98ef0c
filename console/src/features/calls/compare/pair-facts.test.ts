import { pairFacts } from './pair-facts';

test('facts stand beside each other by their names, and say whether they differ', () => {
  const left = [
    { name: 'Agent', value: 'Front desk', key: '1' },
    { name: 'Outcome', value: 'booked' },
    { name: 'Version', value: 3 },
  ];
  const right = [
    { name: 'Agent', value: 'Front desk', key: '2' },
    { name: 'Version', value: 3 },
    { name: 'Tokens', value: '900' },
  ];
  expect(pairFacts<{ name: string; value: string | number; key?: string }>(left, right)).toEqual([
    { name: 'Agent', left: 'Front desk', right: 'Front desk', isSame: false },
    { name: 'Outcome', left: 'booked', right: undefined, isSame: false },
    { name: 'Version', left: 3, right: 3, isSame: true },
    { name: 'Tokens', left: undefined, right: '900', isSame: false },
  ]);
});
