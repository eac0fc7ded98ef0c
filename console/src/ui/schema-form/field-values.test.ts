import type { JsonSchema } from '../../api/document';
import { parse, put, toText } from './field-values';
import { listFields, flat } from './list-fields';

const DOCUMENT = {
  components: {
    schemas: {
      Voice: {
        properties: {
          model: { type: 'string', readOnly: true },
          speed: { type: 'number', minimum: 0, maximum: 2 },
        },
      },
    },
  },
};

const SCHEMA: JsonSchema = {
  properties: {
    name: { type: 'string', maxLength: 5, pattern: '\\S' },
    type: { type: 'string', enum: ['inbound', 'outbound'] },
    prompt: { type: ['string', 'null'], maxLength: 10_000 },
    words: { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 2 },
    category: { oneOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
    reminders: { type: 'array', items: { type: ['boolean', 'number'] }, minItems: 2, maxItems: 2 },
    level: { type: 'integer', minimum: -1_000_000_000, maximum: 1_000_000_000 },
    isOn: { type: 'boolean' },
    voice: { $ref: '#/components/schemas/Voice' },
  },
};

const fields = (values: unknown = {}) =>
  new Map(flat(listFields(SCHEMA, DOCUMENT, values)).map((field) => [field.path, field]));

function parsed(path: string, text: string) {
  const field = fields().get(path);
  if (!field) throw new Error(`There is no field ${path}.`);
  return parse(field, text);
}

describe('A form of the API document', () => {
  test('has the control that fits each value', () => {
    expect(Object.fromEntries([...fields().values()].map(({ path, kind }) => [path, kind]))).toEqual({
      name: 'text',
      type: 'choice',
      prompt: 'long',
      words: 'list',
      category: 'list',
      reminders: 'json',
      level: 'number',
      isOn: 'check',
      'voice.model': 'shown',
      'voice.speed': 'number',
    });
  });

  test('shows a list as JSON if one of its texts has lines', () => {
    expect(fields({ words: ['a\nb'] }).get('words')?.kind).toBe('json');
  });

  test.each([
    ['name', 'Desk', 'Desk'],
    ['prompt', '', null],
    ['words', ' a \n\nb', ['a', 'b']],
    ['reminders', '[true, 10]', [true, 10]],
    ['level', '-3', -3],
    ['isOn', 'true', true],
    ['voice.speed', '1.5', 1.5],
  ])('reads %s from %j', (path, text, value) => {
    expect(parsed(path, text)).toEqual({ value });
  });

  test.each([
    ['name', ' '],
    ['name', 'too long'],
    ['words', 'a\nb\nc'],
    ['words', 'long'],
    ['reminders', '[true]'],
    ['reminders', '[true, "10"]'],
    ['reminders', 'true, 10'],
    ['level', '1.5'],
    ['level', ''],
    ['voice.speed', '3'],
  ])('refuses %s with %j', (path, text) => {
    expect(parsed(path, text)).toEqual({ problem: expect.any(String) as string });
  });

  test('shows the value that it would read without a change', () => {
    const values = { words: ['a', 'b'], reminders: [false, 10], prompt: null, level: 0, isOn: false };
    for (const [path, value] of Object.entries(values)) {
      const field = fields(values).get(path);
      expect(field && parse(field, toText(field, value))).toEqual({ value });
    }
  });

  test('sends only the changed values, in the objects that contain them', () => {
    const body = { type: 'inbound' };
    put(body, 'voice.speed', 1.5);
    put(body, 'voice.pitch', 2);

    expect(body).toEqual({ type: 'inbound', voice: { speed: 1.5, pitch: 2 } });
  });

  test('that are a switch and a number have controls of their own, unless they are something else', () => {
    const findKind = (reminders: unknown) => fields({ reminders }).get('reminders')?.kind;
    expect([findKind([false, 10]), findKind([10, false]), findKind(undefined)]).toEqual([
      'pair',
      'json',
      'json',
    ]);
    const pair = fields({ reminders: [false, 10] }).get('reminders');
    if (!pair) throw new Error('There is no field for a pair.');
    expect(toText(pair, [false, 10])).toBe('[false,10]');
    expect(parse(pair, '[true,20]')).toEqual({ value: [true, 20] });
    expect(parse(pair, '[true,null]')).toHaveProperty('problem');
  });
});
