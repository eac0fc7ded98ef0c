import { collect, type OpenCall, readContent, type ToolCallDelta } from './chat-delta';
import type { ToolCall } from './tools';

function collected(...deltas: ToolCallDelta[]): ToolCall[] {
  const calls: ToolCall[] = [];
  const open = new Map<number, OpenCall>();
  for (const delta of deltas) collect(calls, open, delta);
  return calls;
}
const called = (name: string | undefined, given: unknown, more: Partial<ToolCallDelta> = {}) => ({
  ...{ index: 0, function: { name, arguments: given } },
  ...more,
});

test.each<[string, ToolCallDelta[], string[][]]>([
  [
    'ids of their own at one index, as of Gemini',
    [called('note', '{"a":1}', { id: 'call_1' }), called('note', '{"b":2}', { id: 'call_2' })],
    [
      ['call_1', 'note', '{"a":1}'],
      ['call_2', 'note', '{"b":2}'],
    ],
  ],
  [
    'no ids at one index',
    [called('note', '{"a":1}'), called('note', '{"b":2}')],
    [
      ['call_0', 'note', '{"a":1}'],
      ['call_1', 'note', '{"b":2}'],
    ],
  ],
  [
    'no ids, no indexes and no arguments',
    [called('hang_up', undefined), called('note', '{}'), called('look_up', undefined), called('look_up', '')],
    [
      ['call_0', 'hang_up', ''],
      ['call_1', 'note', '{}'],
      ['call_2', 'look_up', ''],
    ],
  ],
  [
    'the name with each piece',
    [called('note', ''), called('note', '{"a":'), called('note', '1}')],
    [['call_0', 'note', '{"a":1}']],
  ],
  [
    'pieces at two indexes, in turns',
    [
      called('note', '{"a":', { id: 'x' }),
      called('book', '', { id: 'y', index: 1 }),
      called(undefined, '1}'),
      called(undefined, '{}', { index: 1 }),
    ],
    [
      ['x', 'note', '{"a":1}'],
      ['y', 'book', '{}'],
    ],
  ],
  [
    'an id and a name with each piece',
    [called('note', '{"a":', { id: 'x' }), called('note', '1}', { id: 'x' })],
    [['x', 'note', '{"a":1}']],
  ],
  [
    'an id that comes later',
    [called('note', '{}'), called(undefined, '', { id: 'x' })],
    [['x', 'note', '{}']],
  ],
  [
    'another id with each piece, as of vLLM',
    [
      called('note', '', { id: 'x' }),
      called(undefined, '{"a":', { id: 'y' }),
      called('', '{}}', { id: 'z' }),
      called('note', '{}', { id: 'u' }),
      called(undefined, '{"b":2}', { id: 'v' }),
    ],
    [
      ['x', 'note', '{"a":{}}'],
      ['u', 'note', '{}'],
      ['v', 'note', '{"b":2}'],
    ],
  ],
  [
    'no ids, and the name first',
    [
      ...[called('note', ''), called(undefined, '{"a":1}')],
      ...[called('note', ''), called(undefined, '{"b":'), called(undefined, '2}')],
      called(undefined, ' {"c":3}'),
    ],
    [
      ['call_0', 'note', '{"a":1}'],
      ['call_1', 'note', '{"b":2}'],
      ['call_2', 'note', ' {"c":3}'],
    ],
  ],
  [
    'the name with each piece, also with an empty last one',
    [called('note', '{"a":'), called('note', '1}'), called('note', '')],
    [['call_0', 'note', '{"a":1}']],
  ],
  [
    'no ids, and braces in a text',
    [called('note', '{"a":"\\"}'), called(undefined, '{'), called('note', '{b}"}')],
    [['call_0', 'note', '{"a":"\\"}{{b}"}']],
  ],
  [
    'no ids, and an object in a text',
    [called('note', '"'), called('note', '{\\"a\\":1}'), called('note', '{}"')],
    [['call_0', 'note', '"{\\"a\\":1}{}"']],
  ],
  [
    'the same id and other names',
    [
      called('note', '{"a":1}', { id: 'x' }),
      called('book', '', { id: 'x' }),
      called(undefined, '{}', { id: 'x' }),
    ],
    [
      ['x', 'note', '{"a":1}'],
      ['call_1', 'book', '{}'],
    ],
  ],
  [
    'an id of the second call only',
    [called('note', '{}'), called('book', '{}', { id: 'x' })],
    [
      ['call_0', 'note', '{}'],
      ['x', 'book', '{}'],
    ],
  ],
  ['arguments that are no text', [called('note', { a: 1 })], [['call_0', 'note', '{"a":1}']]],
])('calls with %s are read', (_, deltas, calls) => {
  expect(collected(...deltas).map(({ id, name, arguments: given }) => [id, name, given])).toEqual(calls);
});

test.each<[unknown, string]>([
  ['At nine.', 'At nine.'],
  [null, ''],
  [
    [
      { type: 'text', text: 'At ' },
      { type: 'text', text: 'nine.' },
    ],
    'At nine.',
  ],
  [[{ type: 'thinking', thinking: [{ type: 'text', text: 'Nine?' }] }], ''],
  [
    [
      { type: 'reasoning', text: 'Nine?' },
      { type: 'text', text: 'At nine.' },
    ],
    'At nine.',
  ],
])('of the content %j it says %j', (content, said) => {
  expect(readContent(content).said).toBe(said);
});

test.each([
  7,
  { text: 'At nine.' },
  [{ type: 'image_url', image_url: {} }],
  ['At nine.'],
  [{ type: 'text', text: 7 }],
])('the content %j is an error', (content) => {
  expect(() => readContent(content)).toThrow('The model wrote content of an unknown form');
});
