import { nameSigns } from './flite';

test.each([
  ['Delivery takes 3~5 days.', 'Delivery takes 3 to 5 days.'],
  ['Between 9 – 11, or $5~$10.', 'Between 9 to 11, or $5 to $10.'],
  ['The room is 4*6 meters, or 4 × 6.', 'The room is 4 times 6 meters, or 4 times 6.'],
  ['5 < 10, and x>=3.', '5 less than 10, and x at least 3.'],
  ['Press * or *6 in Settings > Sound.', 'Press * or *6 in Settings > Sound.'],
])('the voice of this machine says %j as %j', (text, said) => {
  expect(nameSigns(text)).toBe(said);
});
