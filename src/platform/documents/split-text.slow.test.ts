import { splitText } from './split-text';

test.each([
  ['sentences', 'One sentence after the other. '],
  ['words', 'word '],
  ['nothing but letters', 'x'],
])('A text of a million characters in one paragraph of %s is split within five seconds', (_, part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const started = performance.now();

  splitText(text);

  expect(performance.now() - started).toBeLessThan(5_000);
});
