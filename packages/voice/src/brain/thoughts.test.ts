import { Thoughts } from './thoughts';

function said(...parts: string[]): string {
  const thoughts = new Thoughts();
  return [...parts.map((part) => thoughts.push(part)), thoughts.flush()].join('');
}

test.each([
  [['<think>Is it nine?', ' Yes.</think>At nine.'], 'At nine.'],
  [['<thi', 'nk>No. Not at all.</th', 'ink>', 'Yes.'], 'Yes.'],
  [['One <think>a</think>two <think>b</think>three'], 'One two three'],
  [['Two < three, and <thinner'], 'Two < three, and <thinner'],
  [['Half <thi'], 'Half <thi'],
  [['Said. <think>never closed'], 'Said. '],
])('%j is said as %j', (parts, expected) => {
  expect(said(...parts)).toBe(expected);
});
