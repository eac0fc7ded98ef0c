import { Sentences } from './sentences';

const cut = (...parts: string[]) => {
  const sentences = new Sentences();
  return [...parts.flatMap((part) => sentences.push(part)), ...sentences.flush()].map((sentence) =>
    sentence.trim(),
  );
};

test('a text that comes in parts is cut after its sentences', () => {
  expect(cut('Good mor', 'ning to you. How can', ' I help?')).toEqual([
    'Good morning to you.',
    'How can I help?',
  ]);
});

test('a price, a title and a short word end no sentence', () => {
  expect(cut('It costs $29.', '50 for Mr. Ada', ' Lovelace. Yes. That is', ' all.')).toEqual([
    'It costs $29.50 for Mr. Ada Lovelace.',
    'Yes. That is all.',
  ]);
});

test('a sentence without an end is cut at a comma, so that it is heard', () => {
  const pieces = cut(`${'one two three four, '.repeat(20)}end`);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join(' ')).toBe(`${'one two three four, '.repeat(20)}end`);
});

test('a text of nothing but punctuation is cut, however long it is', () => {
  for (const marks of ['.', '."', '.)', '. ', 'no. ', ' ', '\n'])
    expect(cut(`${marks.repeat(200_000)}x`).at(-1)).toContain('x');
  expect(cut(...Array<string>(8_000).fill('..........')).join('')).toHaveLength(80_000);
});

test('a text without spaces is cut between its characters', () => {
  const text = `x${'😀'.repeat(300)}`;
  const pieces = cut(text);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
  expect(pieces.join('')).toBe(text);
});
