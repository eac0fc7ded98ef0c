import { Sentences, speakable } from './sentences';

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

test('marks, links and pictures are not spoken', () => {
  expect(
    speakable('**Hello** 😀 see [our page](https://a.example/x) or https://www.b.example/long?x=1'),
  ).toBe('Hello see our page or b.example');
});
