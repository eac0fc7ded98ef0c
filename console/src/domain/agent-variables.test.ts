import { splitAtVariables } from './agent-variables';

const marked = (text: string) =>
  splitAtVariables(text)
    .map((part) => (part.isVariable ? `[${part.text}]` : part.text))
    .join('');

test('placeholders are set apart from the text around them', () => {
  expect(marked('Hello {{name}}, at {{ time }}?')).toBe('Hello [{{name}}], at [{{ time }}]?');
  expect(marked('{{name}}{{time}}')).toBe('[{{name}}][{{time}}]');
});

test('a text without placeholders, or with broken ones, stays as it is', () => {
  for (const text of ['', 'Hello', 'Hello {{name}', '{{}} {name}']) expect(marked(text)).toBe(text);
});
