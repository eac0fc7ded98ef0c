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
  [['Is it nine? Yes.</think>At nine.'], 'At nine.'],
  [['Is it nine? ', 'Yes.</th', 'ink>At nine.'], 'Is it nine? Yes.At nine.'],
  [['<think>a</think>One</think>, two</thin'], ', two</thin'],
  [['Said. <think>never closed'], 'Said. '],
])('%j is said as %j', (parts, expected) => {
  expect(said(...parts)).toBe(expected);
});
